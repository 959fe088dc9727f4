export type { Delivery, KnownDelivery, UnknownDelivery } from './contract/delivery.ts'
export { EVENTS, type EventData, type WebhookEvent } from './contract/event.ts'
export type { SchemeDelivery } from './delivery.ts'
export { createDeliveryHandler } from './delivery-handler.ts'
export type { HandleDelivery } from './delivery-handling.ts'
export type { HandlerContext } from './handling/handlers.ts'
export type { HandlingOptions } from './handling/options.ts'
export { type ReplyOptions, reply, type WebhookReply } from './handling/reply.ts'
export type { HandlingMessage } from './handling/steps.ts'
export type { Acceptance, HandshakeInfo, Rejection, Unprocessable } from './hooks.ts'
export { CHANNELS } from './observe/channels.ts'
export type { ReceivedMessage, RejectedMessage } from './observe/messages.ts'
export type { ReceiverOptions } from './options.ts'
export type { DeliverySchemas } from './parse/schema.ts'
export type { Quarantine, QuarantineRecord } from './quarantine.ts'
export { jobIdOf } from './queue/job-id.ts'
export { parseStoredDelivery, type StoredDelivery } from './queue/stored-delivery.ts'
export { createReceiver, type Receiver } from './receiver.ts'
export type { Reason } from './reject/reasons.ts'
export { WebhookError } from './reject/webhook-error.ts'
export type { Incoming } from './request/incoming.ts'
export { type RequestHandler, webhookHandler } from './request-handler.ts'
export type { ServiceDelivery } from './service-delivery.ts'
export { forgetDelivery } from './store/forget.ts'
export { memoryStore } from './store/memory-store.ts'
export type { Claim, DeliveryStore, TransactionalDeliveryStore } from './store/store.ts'
export type { StoreMessage } from './store/store-call.ts'
export type { SchemeResponse } from './validate/response.ts'
export type { Received, Verification } from './verification.ts'
export { WebhookHandshake } from './verify/handshake.ts'
export type {
  EndpointCheck,
  EndpointChecks,
  ExpectSecret,
  Handshake,
  HeaderLookup,
  ParsedDelivery,
  RequestHead,
  Scheme,
  SchemeKind,
  SignableParts,
  SignedHead,
  SignedPart,
} from './verify/scheme.ts'
export type { SecretSource } from './verify/secret.ts'
export { type SubscriptionSecrets, subscriptionEnded } from './verify/subscriptions.ts'
export { type TypedKind, typed } from './verify/typed.ts'
export type { WebhookContext, WebhookHandlerOptions } from './webhook-handling.ts'
