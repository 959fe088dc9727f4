import type { AcceptedHook, RejectedHook, UnprocessableHook } from './hooks.ts'
import { EVENTS, type WebhookEvent } from './parse/event.ts'
import type { DeliverySchemas, NoSchemas } from './parse/schema.ts'
import type { Quarantine } from './quarantine.ts'
import { inDevelopment } from './reject/development.ts'
import { checkOptions, checkValue, isRecord, type OptionTable } from './validate/check-options.ts'
import {
  BOOLEAN,
  CLOCK,
  EVENT_NAMES,
  functionRule,
  numberRule,
  oneOf,
  optional,
  type Rule,
  rule,
  TIMEOUT,
} from './validate/rule.ts'

/** The options of every receiver. Each has a default, and is checked once, when the receiver is created. */
export interface ReceiverOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> {
  /**
   * The accepted difference between X-Webhook-Timestamp and the clock, in both directions, in seconds; `Infinity` turns
   * the check off. Anything but a number from 0 is a TypeError.
   * @default 300
   */
  readonly tolerance?: number | undefined
  /**
   * The largest body that is read, in bytes. Anything but a whole number from 1 is a TypeError.
   * @default 1_048_576
   */
  readonly limit?: number | undefined
  /**
   * How long the whole body may take to arrive, in seconds. After that the answer is 408. Anything but a number
   * above 0 and up to 86,400, or `Infinity`, is a TypeError.
   * @default 30
   */
  readonly bodyTimeout?: number | undefined
  /**
   * How long a secret function, a schema and `onUnprocessable` may each take, in seconds. After that, the answer is 503
   * for a secret function and 500 for a schema, and the receiver stops waiting for `onUnprocessable`. Anything but a number above 0
   * and up to 86,400, or `Infinity`, is a TypeError.
   * @default 10
   */
  readonly callbackTimeout?: number | undefined
  /**
   * Standard Schemas for `data.data`, by event. A key that is not an event is a TypeError.
   * @default {}
   */
  readonly schemas?:
    | (Schemas & {
        // No schema is a string, so the compiler's message ends with this one.
        readonly [Key in Exclude<keyof Schemas & string, WebhookEvent | ExtraEvent>]: NoEvent<Key>
      })
    | undefined
  /**
   * Names of your own events, besides the seven of the contract.
   * @default []
   */
  readonly extraEvents?: readonly ExtraEvent[] | undefined
  /**
   * The answer to an authentic delivery that does not fit your schema: `'retry'` is 500, so the service sends it again;
   * `'refuse'` is 422.
   * @default 'retry'
   */
  readonly schemaMismatch?: 'retry' | 'refuse' | undefined
  /**
   * The clock: milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
  /** Called for each accepted delivery. If it throws an error, the answer does not change. */
  readonly onAccepted?: AcceptedHook | undefined
  /**
   * Called for each rejected request. The default writes one line per reason and minute to standard error, and counts the
   * others; if NODE_ENV is development, it writes up to ten a second. `false` writes nothing. If the hook throws an error,
   * the answer does not change.
   */
  readonly onRejected?: RejectedHook | false | undefined
  /**
   * Called for an authentic delivery that your handler cannot get, for example because of your schema, so that you can keep
   * it. The answer waits for it, up to `callbackTimeout`. If it throws an error, the answer does not change.
   */
  readonly onUnprocessable?: UnprocessableHook | undefined
  /**
   * Keeps rejected requests whose rejection may be the receiver's own mistake, such as a wrong secret, so that they
   * can be handled later. Anything without the methods `accepted` and `keep` is a TypeError.
   * @default none: rejected requests are not kept
   */
  readonly quarantine?: Quarantine | undefined
  /**
   * Whether to diagnose a signature that does not match, for `detail` and `onRejected`. The answer waits for it. There is
   * at most one diagnosis per second; in between, `detail` has the last finding. Anything but a boolean is a TypeError.
   * @default true if NODE_ENV is 'development', else false
   */
  readonly diagnose?: boolean | undefined
}

type NoEvent<Key extends string> = `'${Key}' is not an event: name it in extraEvents`

/** The options with every default in its place. */
export interface ResolvedOptions {
  readonly tolerance: number
  readonly limit: number
  readonly bodyTimeout: number
  readonly callbackTimeout: number
  readonly schemas: DeliverySchemas
  readonly events: ReadonlySet<string>
  readonly schemaMismatch: 'retry' | 'refuse'
  readonly now: () => number
  readonly onAccepted: AcceptedHook | undefined
  readonly onRejected: RejectedHook | false | undefined
  readonly onUnprocessable: UnprocessableHook | undefined
  readonly quarantine: Quarantine | undefined
  /** `'development'` where it is on only because NODE_ENV is that. */
  readonly diagnose: boolean | 'development'
}

/** The defaults, in the units of the options. */
export const DEFAULTS = {
  tolerance: 300,
  limit: 1_048_576,
  bodyTimeout: 30,
  callbackTimeout: 10,
  schemaMismatch: 'retry',
} as const

/** A hook that takes the place of the lines on standard error, or `false` for none of them. */
export const REJECTED_HOOK: Rule<RejectedHook | false | undefined> = rule(
  'a function, or false',
  (value) => value === undefined || value === false || typeof value === 'function',
)

/** The options that say which events there are, and what their content is. */
export const EVENT_OPTIONS: {
  readonly schemas: readonly [Rule<DeliverySchemas>, DeliverySchemas]
  readonly extraEvents: readonly [Rule<readonly string[]>, readonly string[]]
} = {
  schemas: [rule('an object of schemas by event', isRecord), {}],
  extraEvents: [EVENT_NAMES, []],
}

const QUARANTINE = rule<Quarantine>(
  'a quarantine with the methods accepted and keep, such as folderQuarantine(folder)',
  (value) =>
    isRecord(value) && typeof value.accepted === 'function' && typeof value.keep === 'function',
)

/** The rule and the default of each option. `npm run site:write` makes the rows of docs/reference/options.md. */
const OPTIONS = {
  tolerance: [numberRule({ unit: 'seconds', from: 0, infinity: true }), DEFAULTS.tolerance],
  limit: [numberRule({ unit: 'bytes', from: 1, whole: true }), DEFAULTS.limit],
  bodyTimeout: [TIMEOUT, DEFAULTS.bodyTimeout],
  callbackTimeout: [TIMEOUT, DEFAULTS.callbackTimeout],
  ...EVENT_OPTIONS,
  schemaMismatch: [oneOf(['retry', 'refuse']), DEFAULTS.schemaMismatch],
  now: [optional(CLOCK)],
  onAccepted: [optional(functionRule<AcceptedHook>('a function'))],
  onRejected: [REJECTED_HOOK],
  onUnprocessable: [optional(functionRule<UnprocessableHook>('a function'))],
  quarantine: [optional(QUARANTINE)],
  diagnose: [optional(BOOLEAN)],
} as const satisfies { readonly [Name in keyof Required<ReceiverOptions>]: OptionTable[string] }

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveOptions(options: unknown): ResolvedOptions {
  const checked = checkOptions(options, OPTIONS, '{ tolerance: 600 }')
  const { schemas, extraEvents, now = Date.now, ...others } = checked
  const { diagnose = inDevelopment() && 'development' } = checked
  const events = knownEvents(schemas, extraEvents)
  return { ...others, schemas, events, now, diagnose }
}

/**
 * The names of all events that have a type.
 *
 * @throws TypeError for a schema of an event that is not among them, and for one that is not a schema.
 */
export function knownEvents(
  schemas: DeliverySchemas,
  extraEvents: readonly string[],
): ReadonlySet<string> {
  const events = new Set<string>([...EVENTS, ...extraEvents])
  for (const [event, schema] of Object.entries(schemas)) {
    if (!events.has(event)) {
      throw new TypeError(
        `\`schemas\` has a key ${JSON.stringify(event)}, which is not an event. The events are: ${[...events].join(', ')}. Add a newer one to \`extraEvents\`.`,
      )
    }
    checkValue(`schemas[${JSON.stringify(event)}]`, schema, SCHEMA)
  }
  return events
}

const SCHEMA = rule('a Standard Schema (Zod 3.24+, Valibot 1+, ArkType 2+)', (value) => {
  const standard = value ? Reflect.get(Object(value), '~standard') : undefined
  return isRecord(standard) && typeof standard.validate === 'function'
})
