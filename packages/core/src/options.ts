import { ignore } from './async/timeout.ts'
import type { ContractKind } from './contract/event.ts'
import { contract } from './contract/scheme.ts'
import type { DeliveryFor, EventOf } from './delivery.ts'
import type { AcceptedHook, HandshakeHook, RejectedHook, UnprocessableHook } from './hooks.ts'
import type { DeliverySchemas, NoSchemas } from './parse/schema.ts'
import { isPublicUrl, type PublicUrl } from './public-url.ts'
import type { Quarantine } from './quarantine.ts'
import { rejection } from './reject/rejection.ts'
import { isCallable } from './validate/callable.ts'
import { checkOptions, checkValue, type TableOf } from './validate/check-options.ts'
import { isPlainObject, isRecord } from './validate/record.ts'
import { checkedResponse, type SchemeResponse } from './validate/response.ts'
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
import { suggestion } from './validate/suggestion.ts'
import { DUPLICATES, type Duplicates, type GivenDuplicates } from './verify/duplicates.ts'
import type { Diagnose } from './verify/finding.ts'
import type { ExpectSecret, Scheme, SchemeKind } from './verify/scheme.ts'

/** The options of every receiver. Each has a default, and is checked once, when the receiver is created. */
export interface ReceiverOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Kind extends SchemeKind = ContractKind,
  Context = unknown,
> {
  /**
   * How the service signs, such as `stripe` of `@webhook-receiver/schemes`. Anything but a scheme is a TypeError.
   * @default the default format
   * @example { scheme: stripe }
   */
  readonly scheme?: Scheme<unknown, Kind> | undefined
  /**
   * The URL that you registered, for services that sign it. Headers such as X-Forwarded-Host are never used. Anything else is a TypeError.
   * - An origin: the path and the query of each request are added.
   * - A whole URL: verified as you wrote it. The path of the request is not compared, and its query must be the same or missing.
   * - A function: returns the whole URL of the request. Pass one if you registered a whole URL and your code reads the query.
   * @default none: a TypeError if the scheme signs the URL
   * @example { scheme: twilio, publicUrl: 'https://example.com' }
   */
  readonly publicUrl?: PublicUrl<Context> | undefined
  /**
   * The token that you entered at the service, such as Meta, for its check of the endpoint by GET. Anything but a non-empty string is a TypeError, and so is a token for a service without such a check.
   * - Without it, a GET gets 405.
   * - Your route must accept GET as well as POST, and HEAD or OPTIONS if the service checks the endpoint with that.
   * @default none
   * @example { scheme: meta, verifyToken: process.env.META_VERIFY_TOKEN }
   */
  readonly verifyToken?: string | undefined
  /**
   * Saves the secret that a service sends in an unsigned request, as Asana does. Anything but a function is a TypeError, and so is a function for a service that sends no secret.
   * - It gets that `secret`, and the `token` in the query of the URL: 16 to 256 letters, digits, dots, hyphens and underscores.
   * - Anybody can send such a request, so look and save in one statement, and return `true` only if you wait for the secret of this token and had none.
   * - If it returns anything else, the status is 403. If it throws an error, the status is 503.
   * @default none: such a request gets 401
   * @example { scheme: asana, expectSecret: ({ token, secret }) => saveSecret(token, secret) }
   */
  readonly expectSecret?: ExpectSecret | undefined
  /**
   * How far the signed timestamp may be from the clock, in both directions, in seconds; `Infinity` turns the check off. Anything but a
   * number from 0 is a TypeError, and so is a finite one for a service that signs no timestamp.
   * @default 300; with a `scheme`, what its service documents
   */
  readonly tolerance?: number | undefined
  /**
   * The largest body that is read, in bytes. A larger one gets 413. Anything but a whole number from 1 is a TypeError.
   * @default 1_048_576; with a `scheme`, the largest body that its service sends, up to 33_554_432, where that is known
   */
  readonly limit?: number | undefined
  /**
   * How long the whole body may take to arrive, in seconds. After that the status is 408. Anything but a number
   * above 0 and up to 86,400, or `Infinity`, is a TypeError.
   * @default 30
   */
  readonly bodyTimeout?: number | undefined
  /**
   * How much memory the bodies that are not verified yet may take in this process, in bytes. If they take more, the upload that began first gets 503,
   * and the log says `body_budget_full`: raise it if your services do send that much at once. Anything but a whole number from the `limit`, or `Infinity`, is a TypeError.
   * - The first 64 KiB of each body don't count.
   * - A receiver counts its own bodies, and those of the other receivers in the process that allow no more than it does.
   * @default 67_108_864, or the `limit` if that is more
   */
  readonly unverifiedBytes?: number | undefined
  /**
   * How long each function that the response waits for may take, in seconds. Anything but a number above 0 and up to 86,400, or `Infinity`, is a TypeError. After that:
   * - A secret function or `expectSecret`: the status is 503.
   * - A schema: the status is 500.
   * - `onUnprocessable`, `onError` or the quarantine: the receiver responds without waiting for it any longer.
   * @default 10
   */
  readonly callbackTimeout?: number | undefined
  /**
   * Standard Schemas by event, for `data.data`, or with a `scheme` for `data`. A key that is not an event of the default format is a
   * TypeError, and so is one with an action, such as 'issues.opened'.
   * @default {}
   * @example { schemas: { 'message.received': z.object({ text: z.string() }) } }
   */
  readonly schemas?:
    | (Schemas & {
        // No schema is a string, so the compiler's message ends with this one.
        readonly [Key in Exclude<keyof Schemas & string, EventOf<Kind> | ExtraEvent>]: NoEvent<Key>
      })
    | undefined
  /**
   * Names of your own events, besides the seven of the default format or those of a typed scheme.
   * @default []
   * @example { extraEvents: ['message.reacted'] }
   */
  readonly extraEvents?: readonly ExtraEvent[] | undefined
  /**
   * The status for a verified delivery that does not fit your schema: `'retry'` is 500, after which most services retry;
   * `'reject'` is 422.
   * @default 'retry'
   */
  readonly schemaMismatch?: 'retry' | 'reject' | undefined
  /**
   * Names this endpoint in log lines, in metrics and in a store. A store handles each delivery once for each name, so give two routes
   * of one service different names if they share a store. Anything but 1 to 64 letters, digits, dots, hyphens and underscores is a
   * TypeError. With several tenants, pass a function: it gets the verified request, and returns the name of its tenant.
   * - For the tenant `acme` of `stripe`, `verification.endpoint` is `stripe:acme`, so a store keeps the deliveries of tenants apart.
   * - Log lines and metrics say `stripe`.
   * - If the function throws an error, or returns anything but such a name, the status is 500.
   * @default the name of the `scheme`; without one, `'default'`, for which log lines show the path
   * @example { endpoint: (request) => String(request.params.tenant) }
   */
  readonly endpoint?: string | ((request: Context) => string) | undefined
  /**
   * How a store recognises the copy of a delivery. If you pass a `store` and the service doesn't sign its ids, you have to choose. Anything
   * else is a TypeError, and so is `'id'` for a service without ids, or `'body'` for one that doesn't sign it.
   * - `'id'`: by the id. Where the id isn't signed, a captured request can be sent again under another id, and is handled again.
   * - `'body'`: by all that is signed, which is mostly the body. Of two real deliveries with the same content, your handler gets the first only.
   * - A function: by the string that it returns. Its second argument has the `key` of the delivery without it. If it throws an error or returns no string, the status is 500.
   * @default `'id'`; `'body'` if the service has no ids
   * @example { scheme: github, store: memoryStore(), duplicates: 'body' }
   */
  readonly duplicates?: Duplicates<Kind, DeliveryFor<Kind, NoSchemas, ExtraEvent>> | undefined
  /**
   * Called for each accepted delivery. If it throws an error, the response does not change.
   * @example { onAccepted: ({ event, id, duration }) => console.log(event, id, duration) }
   */
  readonly onAccepted?: AcceptedHook | undefined
  /**
   * Called for each request by which the service checks the endpoint; the receiver responds to it. If it throws an error, the
   * response does not change. Anything but a function is a TypeError.
   * @example { onHandshake: ({ name }) => console.log(name) }
   */
  readonly onHandshake?: HandshakeHook | undefined
  /**
   * Called for each rejected request. The default writes one line per cause and minute to standard error, at most five per
   * reason, and counts the others; if NODE_ENV is development, it writes up to ten a second. `false` writes nothing. If the hook
   * throws an error, the response does not change.
   * @example { onRejected: ({ reason, status, endpoint, detail, remote }) => logger.warn({ reason, status, endpoint, address: remote.address }, detail) }
   */
  readonly onRejected?: RejectedHook | false | undefined
  /**
   * Called for a verified delivery that cannot be passed to your handler, for example because of your schema, so that you can
   * keep it. The response waits for it, up to `callbackTimeout`. If it throws an error, the response does not change.
   * @example { onUnprocessable: ({ rawBody, headers }) => keep(rawBody, headers) }
   */
  readonly onUnprocessable?: UnprocessableHook | undefined
  /**
   * Keeps rejected requests whose rejection may be the receiver's own mistake, such as a wrong secret, so that they
   * can be handled later. Anything without the methods `accepted` and `keep` is a TypeError.
   * @default none: rejected requests are not kept
   * @example { quarantine: folderQuarantine('./quarantine') }
   */
  readonly quarantine?: Quarantine | undefined
  /**
   * Finds out why a signature does not match, for `detail` and `onRejected`: `diagnose` of `@webhook-receiver/diagnose`. The
   * response waits for it. There is at most one diagnosis per second; in between, `detail` has the last finding. Anything but a
   * function is a TypeError.
   * @default none: `detail` does not name the cause
   */
  readonly diagnose?: Diagnose | undefined
  /**
   * The clock: milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
}

type NoEvent<Key extends string> = `'${Key}' is not an event: name it in extraEvents`

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

/** The options with every default in its place. */
export interface ResolvedOptions extends Omit<ReceiverValues, 'extraEvents'> {
  /** `undefined` for the contract, unless the application named it. */
  readonly endpoint: string | undefined
  /** The `endpoint` function. Throws a WebhookError if it fails. */
  readonly tenantOf: ((context: unknown) => string) | undefined
  readonly tolerance: number
  readonly limit: number
  readonly unverifiedBytes: number
  readonly events: ReadonlySet<string>
  readonly now: () => number
  /** The response to a delivery that was handled. */
  readonly success: SchemeResponse
}

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

/** The most that the default of `limit` may be, whatever the value of a scheme says, in bytes. */
const LARGEST_DEFAULT = 33_554_432

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

const PUBLIC_URL: Rule<ResolvedOptions['publicUrl']> = rule(
  "the registered URL, such as 'https://example.com/hooks', its origin (without credentials), or a function that returns the URL of a request",
  (value) =>
    value === undefined || isCallable(value) || (typeof value === 'string' && isPublicUrl(value)),
)

type EndpointOf = (request: never) => unknown

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

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveOptions(options: unknown): ResolvedOptions {
  return receiverSettings(checkOptions(options, RECEIVER_OPTIONS, RECEIVER_EXAMPLE, RECEIVER_HINT))
}

export const RECEIVER_EXAMPLE = '{ tolerance: 600 }'
export const RECEIVER_HINT = 'Handlers and a `store` are for webhookHandler. '

/**
 * The settings of a receiver, from checked options.
 *
 * @throws TypeError for options that do not fit one another, or the scheme.
 */
export function receiverSettings(checked: ReceiverValues): ResolvedOptions {
  const { scheme, schemas, extraEvents, now = () => Date.now(), ...others } = checked
  const { name, signsUrl, tolerance: standard } = scheme
  const { publicUrl, tolerance = standard, limit = defaultLimit(scheme) } = others
  const { unverifiedBytes = Math.max(limit, DEFAULTS.unverifiedBytes) } = others
  if (signsUrl && publicUrl === undefined) {
    throw new TypeError(
      `\`publicUrl\` is missing: ${name} signs the URL that it was given. Pass it, such as { publicUrl: 'https://example.com/hooks' }.`,
    )
  }
  if (others.verifyToken !== undefined && !scheme.checks?.needsToken) {
    throw leftOut('verifyToken', scheme, 'does not check the endpoint with a token by GET')
  }
  if (others.expectSecret && !scheme.takeSecret) {
    throw leftOut('expectSecret', scheme, 'sends no secret in a request')
  }
  if (tolerance !== Number.POSITIVE_INFINITY && !scheme.readTime) {
    throw leftOut(
      'tolerance',
      scheme,
      scheme.expires
        ? 'signs until when a request is valid'
        : 'signs no timestamp, so only a store stops a replay',
    )
  }
  if (unverifiedBytes < limit) {
    throw new TypeError(
      `\`unverifiedBytes\` should be at least the \`limit\` of ${limit} bytes; got ${unverifiedBytes}.`,
    )
  }
  const events = knownEvents(scheme, schemas, extraEvents)
  const given = checked.endpoint
  const endpoint = typeof given === 'string' ? given : defaultEndpoint(scheme)
  return {
    ...others,
    scheme,
    tolerance,
    limit,
    unverifiedBytes,
    endpoint: endpoint === DEFAULT_ENDPOINT ? undefined : endpoint,
    tenantOf: typeof given === 'function' ? (context) => tenant(given, context) : undefined,
    schemas,
    events,
    now,
    success: checkedResponse(scheme.success ?? { status: 204 }, `the success of ${name}`),
  }
}

/** The error for an option that the service has no use for. */
export function leftOut(option: string, { name, title = name }: Scheme, why: string): TypeError {
  return new TypeError(`\`${option}\` should be left out: ${title} ${why}.`)
}

/** The `limit` of a receiver without that option, in bytes. */
export function defaultLimit({ largest = DEFAULTS.limit }: Pick<Scheme, 'largest'>): number {
  return Math.min(largest, LARGEST_DEFAULT)
}

function tenant(endpoint: EndpointOf, context: unknown): string {
  let found: unknown
  try {
    // The options promise the function what the adapter gives.
    found = endpoint(context as never)
  } catch (cause) {
    throw rejection('key_unavailable', { option: 'endpoint' }, { cause })
  }
  if (ENDPOINT.is(found)) return found
  ignore(found)
  throw rejection('key_unavailable', { option: 'endpoint' })
}

/** The name of the endpoint if the application gives none. */
export function defaultEndpoint({ name, endpoint = name }: Scheme): string {
  return endpoint
}

/**
 * The names of all events that are known, if the scheme lists its events.
 *
 * @throws TypeError for a schema of an event that is not among them, for one that is not a schema, and for the action of an event: a
 * schema may make content that no longer has it.
 */
export function knownEvents(
  scheme: Scheme,
  schemas: DeliverySchemas,
  extraEvents: readonly string[],
): ReadonlySet<string> {
  const events = new Set<string>([...(scheme.events ?? []), ...extraEvents])
  for (const [event, schema] of Object.entries(schemas)) {
    if (!scheme.hasEvent) throw leftOut('schemas', scheme, 'has no names of events')
    if (scheme.events ? !events.has(event) : scheme.actionOf && event.includes('.')) {
      const hint = scheme.events ? eventHint(event, [...events]) : 'Leave out the action.'
      throw new TypeError(
        `\`schemas\` has a key ${JSON.stringify(event)}, which is not an event. ${hint}`,
      )
    }
    checkValue(`schemas[${JSON.stringify(event)}]`, schema, SCHEMA)
  }
  return events
}

/** What to do about a name that is not an event. */
export function eventHint(event: string, known: readonly string[]): string {
  return (
    `${suggestion(event, known)}The events are: ${known.join(', ')}. Add others to \`extraEvents\`; if another service sends it, pass its ` +
    '`scheme`.'
  )
}

const SCHEMA = rule('a Standard Schema (Zod 3.24+, Valibot 1+, ArkType 2+)', (value) => {
  const standard = value ? Reflect.get(Object(value), '~standard') : undefined
  return isRecord(standard) && typeof standard.validate === 'function'
})
