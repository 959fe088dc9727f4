export type {
  Delivery,
  DeliveryStore,
  EventData,
  Rejection,
  Verification,
  WebhookContext,
} from '@webhook-receiver/core'
export { forgetDelivery, memoryStore, reply, WebhookError } from '@webhook-receiver/core/adapter'
export type { LambdaContext } from './deadline.ts'
export type { LambdaEvent, LambdaResult } from './event.ts'
export { type WebhookHandlerOptions, webhookHandler } from './handler.ts'
