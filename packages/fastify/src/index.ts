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
export { requireDelivery, type WebhookRoute } from './attached.ts'
export { type WebhookHandlerOptions, webhookHandler } from './handler.ts'
export { type WebhookMiddlewareOptions, webhookMiddleware } from './middleware.ts'
