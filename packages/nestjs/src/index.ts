export type { DeliveryStore, EventData, Rejection, WebhookContext } from '@webhook-receiver/core'
export { forgetDelivery, memoryStore, reply, WebhookError } from '@webhook-receiver/core/adapter'
export { WebhookModule } from './module.ts'
export { type DeliveryOf, OnDelivery } from './on-delivery.ts'
export type {
  WebhookEndpointOptions,
  WebhookModuleOptions,
  WebhookRequest,
} from './options.ts'
export { Delivery, Verification } from './parameters.ts'
export { WebhookEndpoint } from './webhook-endpoint.ts'
