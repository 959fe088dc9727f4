export type {
  DataOf,
  Delivery,
  KnownDelivery,
  Received,
  UnknownDelivery,
  Verification,
} from './delivery.ts'
export type { Diagnosis, DiagnosisCode, Finding } from './diagnose/diagnosis.ts'
export type {
  Acceptance,
  AcceptedHook,
  RejectedHook,
  Rejection,
  RemoteFacts,
  SecretFingerprint,
  Unprocessable,
  UnprocessableHook,
} from './hooks.ts'
export { DEFAULTS, type ReceiverOptions } from './options.ts'
export { EVENTS, type EventData, type WebhookEvent } from './parse/event.ts'
export type { DeliverySchemas, NoSchemas } from './parse/schema.ts'
export { createReceiver, type Incoming, type Receiver } from './receiver.ts'
export { CODES, REASONS, type Reason, type Status } from './reject/refusal.ts'
export { WebhookError, type WebhookErrorOptions } from './reject/webhook-error.ts'
export type { HeaderLookup } from './verify/headers.ts'
export type { SecretSource, Secrets } from './verify/secret.ts'
