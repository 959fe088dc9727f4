import type { AcceptedHook, RejectedHook, UnprocessableHook } from './hooks.ts'
import type { WebhookEvent } from './parse/event.ts'
import { EVENTS } from './parse/event.ts'
import type { DeliverySchemas, NoSchemas } from './parse/schema.ts'
import { inDevelopment } from './reject/development.ts'

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
  /** Told of each delivery that is handed on. What it throws changes no answer. */
  readonly onAccepted?: AcceptedHook | undefined
  /**
   * Told of each refusal, in place of the default: one line on standard error per reason and minute, with a count of
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
  readonly diagnose: boolean
}

/** The defaults, in the units of the options. */
export const DEFAULTS = {
  tolerance: 300,
  limit: 1_048_576,
  bodyTimeout: 30,
  callbackTimeout: 10,
  schemaMismatch: 'retry',
} as const

type Rule = readonly [fits: (value: unknown) => boolean, wanted: string]

/** Longer timers overflow in JavaScript. */
const DAY = 86_400

const TIMEOUT: Rule = [
  (value) =>
    value === Number.POSITIVE_INFINITY || (typeof value === 'number' && value > 0 && value <= DAY),
  'a number of seconds above 0 and up to 86_400, or Infinity',
]

/** What each option should be. The words end up in a TypeError: "`limit` should be …". */
const RULES: { readonly [Name in keyof Required<ReceiverOptions>]: Rule } = {
  tolerance: [
    (value) => typeof value === 'number' && value >= 0,
    'a number of seconds from 0, or Infinity',
  ],
  limit: [
    (value) => Number.isSafeInteger(value) && Number(value) > 0,
    'a whole number of bytes from 1',
  ],
  bodyTimeout: TIMEOUT,
  callbackTimeout: TIMEOUT,
  schemas: [isRecord, 'an object of schemas by event'],
  extraEvents: [isNames, 'an array of event names'],
  schemaMismatch: [(value) => value === 'retry' || value === 'refuse', "'retry' or 'refuse'"],
  now: [isFunction, 'a function such as Date.now'],
  onAccepted: [isHook, 'a function'],
  onRejected: [(value) => value === false || isHook(value), 'a function, or false'],
  onUnprocessable: [isHook, 'a function'],
  diagnose: [(value) => typeof value === 'boolean', 'true or false'],
}

/**
 * Judges the options and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveOptions(options: unknown): ResolvedOptions {
  if (!isRecord(options)) {
    // A string is not shown: where the two arguments were swapped, it is the secret.
    const got = typeof options === 'string' ? 'a string' : shown(options)
    throw new TypeError(`The options should be an object; got ${got}.`)
  }
  for (const name in options) {
    if (Object.hasOwn(RULES, name)) continue
    const names = Object.keys(RULES).join(', ')
    throw new TypeError(`There is no option ${JSON.stringify(name)}. The options are: ${names}.`)
  }
  const settled: Record<string, unknown> = {
    ...DEFAULTS,
    schemas: {},
    extraEvents: [],
    now: Date.now,
    diagnose: inDevelopment(),
  }
  for (const [name, [fits, wanted]] of Object.entries(RULES)) {
    if (options[name] !== undefined) settled[name] = options[name]
    judge(fits, name, settled[name], wanted)
  }
  // What the rules have found.
  const found = settled as Omit<ResolvedOptions, 'events'> & { readonly extraEvents: string[] }
  const events = new Set<string>([...EVENTS, ...found.extraEvents])
  for (const [event, schema] of Object.entries(found.schemas)) {
    if (!events.has(event)) {
      throw new TypeError(
        `\`schemas\` has a key ${JSON.stringify(event)}, which is none of: ${[...events].join(', ')}. Name a newer one in \`extraEvents\`.`,
      )
    }
    const name = `schemas[${JSON.stringify(event)}]`
    judge(isSchema, name, schema, 'a Standard Schema (Zod 3.24+, Valibot 1+, ArkType 2+)')
  }
  return { ...found, events }
}

function judge(fits: Rule[0], name: string, value: unknown, wanted: string): void {
  if (fits(value)) return
  throw new TypeError(`\`${name}\` should be ${wanted}; got ${shown(value)}.`)
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return 'an array'
  return Object(value) === value ? `a value of type ${typeof value}` : String(value)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

function isHook(value: unknown): boolean {
  return value === undefined || isFunction(value)
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== '')
}

function isSchema(value: unknown): boolean {
  const standard = value ? Reflect.get(Object(value), '~standard') : undefined
  return isRecord(standard) && isFunction(standard.validate)
}
