// What an application needs besides the middleware of its framework: every adapter re-exports this list.
export type { Delivery, Verification } from './delivery.ts'
export {
  type DeliveryHandlerOptions,
  type DeliveryHandlers,
  type DeliveryStore,
  type HandlerContext,
  type LostDelivery,
  MESSAGE_STATES,
  type MessageState,
  memoryStore,
  movesForward,
  type TransactionalDeliveryStore,
} from './handling/index.ts'
export type { Acceptance, Rejection, Unprocessable } from './hooks.ts'
export { handlerDiagnostics, receiverDiagnostics } from './observe/index.ts'
export { EVENTS, type EventData, type WebhookEvent } from './parse/event.ts'
export type { DeliverySchemas } from './parse/schema.ts'
export { WebhookError } from './reject/webhook-error.ts'
export type { SecretSource } from './verify/secret.ts'
