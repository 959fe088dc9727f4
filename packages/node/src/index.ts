export {
  type Acceptance,
  createReceiver,
  type Delivery,
  type DeliverySchemas,
  EVENTS,
  type EventData,
  type NoSchemas,
  type ReceiverOptions,
  type Rejection,
  type SecretSource,
  type Unprocessable,
  type Verification,
  WebhookError,
  type WebhookEvent,
} from '@webhook-receiver/core'
export { handlerDiagnostics, receiverDiagnostics } from '@webhook-receiver/core/diagnostics'
export {
  type DeliveryHandlerOptions,
  type DeliveryHandlers,
  type DeliveryStore,
  type HandlerContext,
  memoryStore,
  type TransactionalDeliveryStore,
} from '@webhook-receiver/core/handling'
export { cutShort, refuse } from './answer.ts'
export { showCause } from './cause.ts'
export { type Exchange, receiveIncoming } from './exchange.ts'
export { deliveryHandler } from './handler.ts'
export { captureRawBody, findRawBody } from './kept-body.ts'
export { type ListenerExchange, type ListenerOptions, webhookListener } from './listener.ts'
export { type PathMatcher, pathMatcher } from './path.ts'
