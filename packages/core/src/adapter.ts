// For our own packages, and for authors of adapters and stores: what applications do not need. The rest is in `index.ts`. What an
// adapter for a framework takes of that is here too, so that its import loads one file less.
import { mac as backend } from '#mac'
import type { Mac } from './verify/mac.ts'

export {
  type FormAdapter,
  type HandlerForm,
  type MiddlewareForm,
  type TypedWebhookHandlerFor,
  typedWebhookHandlerOf,
  type WebhookHandlerFor,
  type WebhookMiddlewareFor,
  webhookHandlerOf,
  webhookMiddlewareOf,
} from './adapter-forms.ts'
export { withTimeout } from './async/timeout.ts'
export { wait } from './async/wait.ts'
export type { ContractKind } from './contract/event.ts'
export { CONTRACT_HEADERS } from './contract/head.ts'
export { contract } from './contract/service.ts'
export { readTimestamp } from './contract/timestamp.ts'
export { brand } from './copies/brand.ts'
export type { DataOf, DeliveryFor, EventOf } from './delivery.ts'
export { FORWARD_ERRORS, type ForwardErrors } from './forward-errors.ts'
export { isAbandoned } from './handling/abandon.ts'
export type { HandleDelivery } from './handling/delivery-handler.ts'
export type { DeliveryHandlers } from './handling/dispatch.ts'
export { forgetDelivery } from './handling/forget.ts'
export { memoryStore } from './handling/memory-store.ts'
export {
  checkLease,
  checkStoreOptions,
  createSweeper,
  type Resolved,
  type StoreOptions,
  type StoreOptionTable,
} from './handling/store-options.ts'
export { DEFAULTS } from './options.ts'
export { parseJson } from './parse/json.ts'
export type { NoSchemas } from './parse/schema.ts'
export { isPublicUrl, publicUrlOf } from './public-url.ts'
export { createReceiver } from './receiver.ts'
export { printHandlerFailure } from './reject/handler-failure.ts'
export { escapeControls } from './reject/log-line.ts'
export { describeError, printError } from './reject/print-error.ts'
export { CODES, REASONS } from './reject/reasons.ts'
export { rejection } from './reject/rejection.ts'
export {
  closesConnection,
  isWebhookError,
  responseBody,
  WebhookError,
} from './reject/webhook-error.ts'
export {
  type Attached,
  type AttachedVerification,
  attach,
  type RequiredDelivery,
  requireAttached,
} from './request/attached.ts'
export { BodyBuffer } from './request/body-buffer.ts'
export { discardRest, discardStream } from './request/discard.ts'
export { closeAfterResponse } from './request/http2.ts'
export type { RemoteFacts } from './request/incoming.ts'
export { type ReadableBody, readStream } from './request/read-stream.ts'
export { discardBody, readBody } from './request/web-request.ts'
export { assertCalled } from './validate/called.ts'
export {
  checkOptions,
  checkValue,
  isRecord,
  type OptionTable,
  type OwnRules,
} from './validate/check-options.ts'
export { describeKind } from './validate/describe.ts'
export {
  BOOLEAN,
  CLOCK,
  DAY,
  EVENT_NAMES,
  functionRule,
  hidden,
  listOf,
  type NumberRange,
  numberRule,
  oneOf,
  optional,
  RETENTION,
  type Rule,
  rule,
  stringRule,
} from './validate/rule.ts'
export type { Diagnosis, Finding } from './verify/finding.ts'
export { responseTo, toResponse } from './verify/handshake.ts'
export { hexadecimal } from './verify/hexadecimal.ts'
export type { DuplicatesRequired } from './verify/key.ts'
export { MAC_BYTES, type Mac, type MacKey } from './verify/mac.ts'
export { signatureMissing } from './verify/other-service.ts'
export type {
  Handshake,
  HeaderLookup,
  ParsedDelivery,
  RequestHead,
  SchemeResponse,
  SignableParts,
  SignedHead,
  SignedPart,
} from './verify/scheme.ts'
export type { Secrets } from './verify/secret.ts'
export {
  createWebhookHandling,
  type WebhookHandlers,
  type WebhookHandling,
} from './webhook-handling.ts'

/** The HMAC of this runtime. Declared here, because `#mac` has no types outside this package. */
export const mac: Mac = backend
