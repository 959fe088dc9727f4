import { ignore } from './async/timeout.ts'
import {
  DEFAULT_ENDPOINT,
  DEFAULTS,
  ENDPOINT,
  type EndpointOf,
  RECEIVER_EXAMPLE,
  RECEIVER_HINT,
  RECEIVER_OPTIONS,
  type ReceiverValues,
} from './option-rules.ts'
import type { DeliverySchemas } from './parse/schema.ts'
import { rejection } from './reject/rejection.ts'
import { checkOptions, checkValue } from './validate/check-options.ts'
import { isRecord } from './validate/record.ts'
import { checkedResponse, type SchemeResponse } from './validate/response.ts'
import { rule } from './validate/rule.ts'
import { suggestion } from './validate/suggestion.ts'
import type { Scheme } from './verify/scheme.ts'

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

/** The most that the default of `limit` may be, whatever the value of a scheme says, in bytes. */
const LARGEST_DEFAULT = 33_554_432

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveOptions(options: unknown): ResolvedOptions {
  return receiverSettings(checkOptions(options, RECEIVER_OPTIONS, RECEIVER_EXAMPLE, RECEIVER_HINT))
}

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
