import { contract } from './contract/scheme.ts'
import type { AcceptedHook, HandshakeHook, RejectedHook, UnprocessableHook } from './hooks.ts'
import type { DeliverySchemas } from './parse/schema.ts'
import { isPublicUrl, type PublicUrl } from './public-url.ts'
import type { Quarantine } from './quarantine.ts'
import { isCallable } from './validate/callable.ts'
import type { TableOf } from './validate/check-options.ts'
import { isPlainObject, isRecord } from './validate/record.ts'
import {
  CLOCK,
  EVENT_NAMES,
  functionRule,
  hidden,
  hookRule,
  madeRule,
  numberRule,
  oneOf,
  optional,
  type Rule,
  rule,
  stringRule,
  TIMEOUT,
} from './validate/rule.ts'
import { DUPLICATES, type GivenDuplicates } from './verify/duplicates.ts'
import type { Diagnose } from './verify/finding.ts'
import type { ExpectSecret, Scheme } from './verify/scheme.ts'

/** What a handler and its receiver both need to know: each option as it was checked. */
export interface SharedValues {
  readonly scheme: Scheme
  readonly extraEvents: readonly string[]
  readonly endpoint: string | EndpointOf | undefined
  readonly duplicates: GivenDuplicates
  readonly now: (() => number) | undefined
  readonly onRejected: RejectedHook | false | undefined
}

/** What only receivers need to know. */
export interface ReceivingValues {
  readonly publicUrl: PublicUrl<never> | undefined
  readonly verifyToken: string | undefined
  readonly expectSecret: ExpectSecret | undefined
  readonly tolerance: number | undefined
  readonly limit: number | undefined
  readonly bodyTimeout: number
  readonly unverifiedBytes: number | undefined
  readonly callbackTimeout: number
  readonly schemas: DeliverySchemas
  readonly schemaMismatch: 'retry' | 'reject'
  readonly onAccepted: AcceptedHook | undefined
  readonly onHandshake: HandshakeHook | undefined
  readonly onUnprocessable: UnprocessableHook | undefined
  readonly quarantine: Quarantine | undefined
  readonly diagnose: Diagnose | undefined
}

export type ReceiverValues = SharedValues & ReceivingValues

/** The defaults, in the units of the options. */
export const DEFAULTS: {
  readonly tolerance: number
  readonly limit: number
  readonly bodyTimeout: number
  readonly unverifiedBytes: number
  readonly callbackTimeout: number
  readonly schemaMismatch: 'retry'
} = {
  tolerance: contract.tolerance,
  limit: 1_048_576,
  bodyTimeout: 30,
  unverifiedBytes: 67_108_864,
  callbackTimeout: 10,
  schemaMismatch: 'retry',
}

/** A hook that takes the place of the lines on standard error, or `false` for none of them. */
/* @__NO_SIDE_EFFECTS__ */
export function hookOrFalse<Hook>(): Rule<Hook | false | undefined> {
  return rule(
    'a function, or false',
    (value) => value === undefined || value === false || isCallable(value),
  )
}

/** The name of an endpoint. It has no colon, which separates it from the id in the keys of a store. */
export const ENDPOINT: Rule<string> = stringRule(
  "1 to 64 letters, digits, dots, hyphens and underscores, such as 'billing'",
  /^[\w.-]{1,64}$/,
)

/** The name of an endpoint that the application did not name. */
export const DEFAULT_ENDPOINT = 'default'

const QUARANTINE = madeRule(
  'quarantine',
  rule<Quarantine>(
    'a quarantine with the methods accepted and keep, such as folderQuarantine(folder)',
    (value) => isRecord(value) && isCallable(value.accepted) && isCallable(value.keep),
  ),
)

export const SCHEME: Rule<Scheme> = madeRule(
  'scheme',
  rule(
    'a scheme, such as stripe of @webhook-receiver/schemes, or what its defineScheme returns',
    (value) => isRecord(value) && ENDPOINT.is(value.name) && typeof value.readHead === 'function',
  ),
)

const DIAGNOSE = madeRule(
  'scheme',
  functionRule<Diagnose>('the function diagnose of @webhook-receiver/diagnose'),
)

const PUBLIC_URL: Rule<ReceivingValues['publicUrl']> = rule(
  "the URL that you registered or its origin, such as 'https://example.com/hooks', without credentials, or a function that returns it",
  (value) =>
    value === undefined || isCallable(value) || (typeof value === 'string' && isPublicUrl(value)),
)

export type EndpointOf = (request: never) => unknown

const ENDPOINT_OR_FUNCTION: Rule<string | EndpointOf | undefined> = rule(
  `${ENDPOINT.expected}, or a function that returns such a name for a request`,
  (value) => value === undefined || isCallable(value) || ENDPOINT.is(value),
)

/**
 * The rule and the default of each option that receivers and handlers have. Of three tables, each says what its options are for: this
 * one, `RECEIVING` and `HANDLING`, which has a stricter rule for `extraEvents`. A form checks all of its options once.
 */
export const SHARED: TableOf<SharedValues> = {
  scheme: [SCHEME, contract],
  extraEvents: [EVENT_NAMES, []],
  endpoint: [ENDPOINT_OR_FUNCTION],
  duplicates: [DUPLICATES],
  now: [optional(CLOCK)],
  onRejected: [hookOrFalse<RejectedHook>()],
}

/** Those that only receivers have. */
export const RECEIVING: TableOf<ReceivingValues> = {
  publicUrl: [PUBLIC_URL],
  verifyToken: [optional(hidden(stringRule('a non-empty string', /./s)))],
  expectSecret: [hookRule<ExpectSecret>()],
  tolerance: [optional(numberRule({ unit: 'seconds', from: 0, infinity: true }))],
  limit: [optional(numberRule({ unit: 'bytes', from: 1, whole: true }))],
  bodyTimeout: [TIMEOUT, DEFAULTS.bodyTimeout],
  unverifiedBytes: [optional(numberRule({ unit: 'bytes', from: 1, whole: true, infinity: true }))],
  callbackTimeout: [TIMEOUT, DEFAULTS.callbackTimeout],
  schemas: [rule<DeliverySchemas>('a plain object of schemas by event', isPlainObject), {}],
  schemaMismatch: [oneOf(['retry', 'reject']), DEFAULTS.schemaMismatch],
  onAccepted: [hookRule<AcceptedHook>()],
  onHandshake: [hookRule<HandshakeHook>()],
  onUnprocessable: [hookRule<UnprocessableHook>()],
  quarantine: [optional(QUARANTINE)],
  diagnose: [optional(DIAGNOSE)],
}

export const RECEIVER_OPTIONS: TableOf<ReceiverValues> = { ...SHARED, ...RECEIVING }

export const RECEIVER_EXAMPLE = '{ tolerance: 600 }'

export const RECEIVER_HINT = 'Handlers and a `store` are for webhookHandler. '
