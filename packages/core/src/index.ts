export type {
  DataOf,
  Delivery,
  KnownDelivery,
  Received,
  UnknownDelivery,
  Verification,
} from './delivery.ts'
export type {
  Acceptance,
  AcceptedHook,
  RejectedHook,
  Rejection,
  Unprocessable,
  UnprocessableHook,
} from './hooks.ts'
export { DEFAULTS, type ReceiverOptions } from './options.ts'
export { EVENTS, type EventData, type WebhookEvent } from './parse/event.ts'
export type { DeliverySchemas, NoSchemas } from './parse/schema.ts'
export type { Quarantine, QuarantineAcceptance, QuarantineRecord } from './quarantine.ts'
export { createReceiver, type Receiver } from './receiver.ts'
export type { SecretFingerprint } from './reject/details.ts'
export type { Diagnosis, DiagnosisCode, Finding } from './reject/diagnosis.ts'
export { CODES, REASONS, type Reason, type Status } from './reject/reasons.ts'
export { WebhookError, type WebhookErrorOptions } from './reject/webhook-error.ts'
export type { Incoming, RemoteFacts } from './request/incoming.ts'
export type { HeaderLookup } from './verify/headers.ts'
export type { SecretSource, Secrets } from './verify/secret.ts'
