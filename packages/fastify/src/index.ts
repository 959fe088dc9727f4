export * from '@webhook-receiver/core/application'
export { deliveryHandler } from './handler.ts'
export {
  requireDelivery,
  type WebhookPluginOptions,
  type WebhookRoute,
  webhookPlugin,
} from './plugin.ts'
