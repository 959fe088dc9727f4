export {
  createReceiver,
  type NoSchemas,
  type Received,
  type Receiver,
  type ReceiverOptions,
} from '@webhook-receiver/core/adapter'
export * from '@webhook-receiver/core/application'
export type { LambdaEvent, LambdaResult } from './event.ts'
export { deliveryHandler, type LambdaDeliveryHandlerOptions } from './handler.ts'
export { receiveEvent } from './incoming.ts'
export { toResult } from './result.ts'
export {
  type LambdaContext,
  type LambdaExchange,
  type WebhookHandlerOptions,
  webhookHandler,
} from './webhook-handler.ts'
