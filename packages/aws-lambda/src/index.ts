export {
  type Delivery,
  type DeliveryStore,
  type EventData,
  forgetDelivery,
  memoryStore,
  type Rejection,
  type Verification,
  type WebhookContext,
  WebhookError,
} from '@webhook-receiver/core'
export type { LambdaEvent, LambdaResult } from './event.ts'
export {
  type LambdaContext,
  type WebhookHandlerOptions,
  webhookHandler,
} from './handler.ts'
