export * from '@webhook-receiver/core/application'
export { WebhookModule } from './module.ts'
export { type DeliveryOf, OnDelivery, type OnDeliveryOptions } from './on-delivery.ts'
export type {
  WebhookEndpointOptions,
  WebhookModuleAsyncOptions,
  WebhookModuleOptions,
  WebhookRequest,
} from './options.ts'
export { Delivery, Verification } from './parameters.ts'
export { WebhookEndpoint } from './webhook-endpoint.ts'
