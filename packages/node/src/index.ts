export type {
  Delivery,
  DeliveryStore,
  EventData,
  Rejection,
  Verification,
  WebhookContext,
} from '@webhook-receiver/core'
export { forgetDelivery, memoryStore, reply, WebhookError } from '@webhook-receiver/core/adapter'
export { captureRawBody } from './body.ts'
export { type NodeHandler, type NodeHandlerOptions, webhookHandler } from './handler.ts'
