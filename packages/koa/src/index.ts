export * from '@webhook-receiver/core/application'
export { deliveryHandler } from './handler.ts'
export {
  requireDelivery,
  type WebhookMiddlewareOptions,
  type WebhookState,
  webhookMiddleware,
} from './middleware.ts'
