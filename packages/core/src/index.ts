export type {
  DataOf,
  Delivery,
  KnownDelivery,
  Received,
  UnknownDelivery,
  Verification,
} from './delivery.ts'
export type { Diagnosis, DiagnosisCode, Finding } from './diagnose/diagnosis.ts'
export { WebhookError, type WebhookErrorOptions } from './errors.ts'
export { EVENTS, type EventData, type WebhookEvent } from './event.ts'
export type { HeaderLookup } from './head.ts'
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
export { createReceiver, type Incoming, type Receiver } from './receiver.ts'
export { CODES, REASONS, type Reason, type Status } from './refusal.ts'
export type { DeliverySchemas, NoSchemas } from './schema.ts'
export type { SecretSource, Secrets } from './secret.ts'
