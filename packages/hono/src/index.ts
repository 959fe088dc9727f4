export {
  type Acceptance,
  type Delivery,
  type DeliverySchemas,
  EVENTS,
  type EventData,
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
export { deliveryHandler } from './handler.ts'
export {
  requireDelivery,
  type WebhookMiddlewareOptions,
  type WebhookVariables,
  webhookMiddleware,
} from './middleware.ts'
