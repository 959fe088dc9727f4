export * from '@webhook-receiver/core/application'
export { deliveryHandler } from './handler.ts'
export {
  requireDelivery,
  type WebhookMiddlewareOptions,
  type WebhookVariables,
  webhookMiddleware,
} from './middleware.ts'
