export { EVENTS, type WebhookEvent } from '@webhook-receiver/core'
export type {
  Attempt,
  DeliveryReport,
  Exchange,
  Outcome,
  SentRequest,
} from './delivery-report.ts'
export type { EmitOptions } from './emission.ts'
export { createEmulator, type Emulator } from './emulator.ts'
export { FAULTS, type Fault } from './fault.ts'
export type { EmulatorEvents } from './listeners.ts'
export { DEFAULTS, type EmulatorOptions } from './options.ts'
export type {
  RegisteredWebhook,
  RegisteredWebhookWithSecret,
  RegistrationRequest,
} from './registry.ts'
export type { RunOptions, RunSummary } from './run.ts'
export { type ConversationOptions, conversation, type ScenarioStep } from './scenario.ts'
export type { Header } from './send.ts'
export { TIMESTAMP_FORMS, type TimestampForm } from './timestamp.ts'
