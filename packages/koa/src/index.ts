export type {
  Delivery,
  DeliveryStore,
  EventData,
  Rejection,
  Verification,
  WebhookContext,
} from '@webhook-receiver/core'
export { forgetDelivery, memoryStore, reply, WebhookError } from '@webhook-receiver/core/adapter'
export { requireDelivery, type WebhookState } from './attached.ts'
export { type WebhookHandlerOptions, webhookHandler } from './handler.ts'
export { type WebhookMiddlewareOptions, webhookMiddleware } from './middleware.ts'
