export * from '@webhook-receiver/core/application'
export { captureRawBody } from '@webhook-receiver/node'
export { deliveryHandler } from './handler.ts'
export { requireDelivery, type WebhookMiddlewareOptions, webhookMiddleware } from './middleware.ts'
