// For our own packages and tools: `./internal`. A change of it is never a breaking change.

export {
  getText,
  keepNewest,
  type Loader,
  type LoaderOptions,
  loader,
  NotThere,
} from './async/loader.ts'
export { allMaybeAsync, type MaybeAsync, thenMaybeAsync } from './async/maybe-async.ts'
export { ignore, isPromiseLike, withTimeout, withTimeoutIfAsync } from './async/timeout.ts'
export { wait } from './async/wait.ts'
export { CONTRACT_HEADERS } from './contract/head.ts'
export { contract } from './contract/service.ts'
export { readTimestamp } from './contract/timestamp.ts'
export { brand } from './copies/brand.ts'
export { madeBy, misfitOf } from './copies/interfaces.ts'
export { processWide } from './copies/process-wide.ts'
export { VERSION } from './copies/version.ts'
export type { HandleDelivery } from './delivery-handling.ts'
export type { DeliveryHandlers } from './handling/handlers.ts'
export { keeping } from './handling/keeping.ts'
export { storeFailed, storeTooSlow } from './handling/unavailable.ts'
export { DEFAULTS, ENDPOINT, hookOrFalse, RECEIVER_OPTIONS, SCHEME } from './option-rules.ts'
export { parseJson } from './parse/json.ts'
export { stringsOf, unescaped, valuesOf } from './parse/strings.ts'
export { isPublicUrl, publicUrlOf } from './public-url.ts'
export { REPOSITORY, SITE } from './reject/addresses.ts'
export { readable } from './reject/handler-failure.ts'
export { escapeControls, quoted } from './reject/log-line.ts'
export { printError } from './reject/print-error.ts'
export { CODES, REASONS } from './reject/reasons.ts'
export { rejection, rejectionOf } from './reject/rejection.ts'
export { defaultEndpoint, defaultLimit } from './settings.ts'
export { checkDeliveryKey, digestOf, storeKeyOf } from './store/key.ts'
export { tamperedSigning, tamperedWord } from './testing/tamper.ts'
export { isCallable } from './validate/callable.ts'
export {
  checkOptions,
  checkValue,
  type OptionTable,
  type OwnRules,
  type TableOf,
} from './validate/check-options.ts'
export { describeKind, inQuotes } from './validate/describe.ts'
export { duration } from './validate/duration.ts'
export { isError } from './validate/error.ts'
export { isPlainObject, isRecord } from './validate/record.ts'
export {
  BOOLEAN,
  CLOCK,
  DAY,
  DURATION,
  EVENT_NAMES,
  functionRule,
  hidden,
  listOf,
  madeRule,
  type NumberRange,
  numberRule,
  oneOf,
  optional,
  RETENTION,
  type Rule,
  rule,
  stringRule,
} from './validate/rule.ts'
export { suggestion } from './validate/suggestion.ts'
export { tenantIn } from './verification.ts'
export { hasWindow } from './verify/age.ts'
export {
  DUPLICATES,
  type Duplicates,
  type GivenDuplicates,
  requireDecided,
  requireDuplicates,
} from './verify/duplicates.ts'
export type { Diagnosis, Finding } from './verify/finding.ts'
export { hexadecimal } from './verify/hexadecimal.ts'
export { MAC_BYTES, type Mac, type MacHash, type MacKey } from './verify/mac.ts'
export { SIGNATURE_HEADERS, signatureMissing, wrongMethod } from './verify/other-service.ts'
export { mac } from './verify/runtime-mac.ts'
export { splitName } from './verify/scheme.ts'
export { PEM } from './verify/secret-faults.ts'
export type {
  AcceptedReplies,
  OtherRequest,
  RequestFacts,
  SecretFacts,
} from './verify/service-facts.ts'
export {
  type Secrets,
  type SubscriptionSecrets,
  sourceFor,
  subscriptionEnded,
} from './verify/subscriptions.ts'
export { typed } from './verify/typed.ts'
export { type Certificate, isAuthority, readCertificate, readEcdsa } from './verify/x509.ts'
