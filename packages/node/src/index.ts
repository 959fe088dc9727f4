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
export { captureRawBody } from './body.ts'
export { type NodeHandler, type NodeHandlerOptions, webhookHandler } from './handler.ts'
