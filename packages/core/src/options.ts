import type { AcceptedHook, RejectedHook, UnprocessableHook } from './hooks.ts'
import { EVENTS, type WebhookEvent } from './parse/event.ts'
import type { DeliverySchemas, NoSchemas } from './parse/schema.ts'
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

/** What every adapter takes; each member has a default and is checked once, when the receiver is made. */
export interface ReceiverOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> {
  /**
   * How far X-Webhook-Timestamp may lie from the clock, before and behind, in seconds; `Infinity` turns
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
   * How long the whole body may take to arrive, in seconds; a later one is answered 408. Anything but a number
   * above 0 and up to 86,400, or `Infinity`, is a TypeError.
   * @default 30
   */
  readonly bodyTimeout?: number | undefined
  /**
   * How long a secret function, a schema and `onUnprocessable` may each take, in seconds. A late secret is answered
   * 503, a late schema 500; the answer does not wait longer for `onUnprocessable`. Anything but a number above 0
   * and up to 86,400, or `Infinity`, is a TypeError.
   * @default 10
   */
  readonly callbackTimeout?: number | undefined
  /**
   * Standard Schemas for `data.data`, by event. A key that is no event is a TypeError.
   * @default {}
   */
  readonly schemas?:
    | (Schemas & {
        // No schema is a string, so the compiler's message ends with this one.
        readonly [Key in Exclude<keyof Schemas & string, WebhookEvent | ExtraEvent>]: NoEvent<Key>
      })
    | undefined
  /**
   * Names of events besides the seven of the contract that this application knows.
   * @default []
   */
  readonly extraEvents?: readonly ExtraEvent[] | undefined
  /**
   * What an authentic delivery that a schema does not fit is answered: `'retry'` is 500, since the
   * schema is the receiver's own; `'refuse'` is 422.
   * @default 'retry'
   */
  readonly schemaMismatch?: 'retry' | 'refuse' | undefined
  /**
   * The clock: milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
  /** Called for each accepted delivery. What it throws changes no answer. */
  readonly onAccepted?: AcceptedHook | undefined
  /**
   * Called for each rejected request, in place of the default: one line on standard error per reason and minute, with a count of
   * the others; ten a second where NODE_ENV is development. `false` silences it. What it throws changes no answer.
   */
  readonly onRejected?: RejectedHook | false | undefined
  /**
   * Given what was authentic and fresh and could still not be handed on, so that it can be kept. The
   * answer waits for it, up to `callbackTimeout`. What it throws changes no answer.
   */
  readonly onUnprocessable?: UnprocessableHook | undefined
  /**
   * Whether a signature that does not match is diagnosed, at most once a second, for `detail` and
   * `onRejected`; the answer waits for it. In between, `detail` has the last finding. Anything but a boolean is a TypeError.
   * @default true where NODE_ENV is 'development', else false
   */
  readonly diagnose?: boolean | undefined
}

type NoEvent<Key extends string> = `'${Key}' is no event: name it in extraEvents`

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
 * @throws TypeError for a schema of an event that is not among them, and for one that is no schema.
 */
export function knownEvents(
  schemas: DeliverySchemas,
  extraEvents: readonly string[],
): ReadonlySet<string> {
  const events = new Set<string>([...EVENTS, ...extraEvents])
  for (const [event, schema] of Object.entries(schemas)) {
    if (!events.has(event)) {
      throw new TypeError(
        `\`schemas\` has a key ${JSON.stringify(event)}, which is none of: ${[...events].join(', ')}. Name a newer one in \`extraEvents\`.`,
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
