import type { RejectedHook } from '../hooks.ts'
import { EVENTS } from '../parse/event.ts'
import {
  CLOCK,
  isRecord,
  LEASE,
  optionsRecord,
  type Setting,
  settle,
  TIMEOUT,
  WAIT,
} from '../validate/setting.ts'
import { FALLBACKS } from './dispatch.ts'
import type { HandlingHook } from './steps.ts'
import type { DeliveryStore, TransactionalDeliveryStore } from './store.ts'

/** What every adapter's `deliveryHandler` takes; each member is checked once, when the handler is made. */
export interface DeliveryHandlerOptions<
  ExtraEvent extends string = never,
  Transaction = undefined,
> {
  /**
   * Where it is kept which deliveries were handled. Anything without the four methods of a
   * `DeliveryStore`, or the one of a `TransactionalDeliveryStore`, is a TypeError.
   * @default none: a duplicate is handled again
   */
  readonly store?: DeliveryStore | TransactionalDeliveryStore<Transaction> | undefined
  /**
   * Tells this handler from others on the same store: a delivery is done once for each endpoint. Anything but
   * 1 to 64 letters, digits, dots, hyphens and underscores is a TypeError.
   * @default 'default'
   */
  readonly endpoint?: string | undefined
  /**
   * How long a claim lives if its process dies, in seconds. While the handler runs it is extended every third of
   * that. Anything but a number above 0 and up to 86,400 is a TypeError.
   * @default 30
   */
  readonly lease?: number | undefined
  /**
   * After how long the sender is answered 503, in seconds. The handler goes on, and the claim with it.
   * Choose it below the time for which the service waits. Anything but a number above 0 and up to 86,400,
   * or `Infinity`, is a TypeError.
   * @default 25; without a store `Infinity`, since nothing would tell the next copy that the work goes on
   */
  readonly timeout?: number | undefined
  /**
   * How long one answer of the store is waited for, in seconds. Anything but a number above 0 and up to
   * 86,400 is a TypeError.
   * @default 2
   */
  readonly storeTimeout?: number | undefined
  /**
   * Names of events besides the seven that have a handler: the same as at the receiver.
   * @default []
   */
  readonly extraEvents?: readonly ExtraEvent[] | undefined
  /**
   * Told of each delivery that is answered 503 here, in place of the default: one line on standard error per
   * reason and minute (ten a second where NODE_ENV is development), and none for `delivery_in_progress`. `false` silences it.
   */
  readonly onRejected?: RejectedHook | false | undefined
  /**
   * Told of each step of a delivery: claimed, duplicate, completed, failed. What it throws changes no answer.
   * Anything but a function is a TypeError.
   */
  readonly onHandling?: HandlingHook | undefined
  /**
   * The clock: milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
  /**
   * Makes the owner's token of a claim, never the same twice.
   * @default crypto.randomUUID
   */
  readonly randomToken?: (() => string) | undefined
  /**
   * Spreads repeated tries to reach the store: a number from 0 up to 1.
   * @default Math.random
   */
  readonly random?: (() => number) | undefined
}

/** The options with every default in its place. */
export interface ResolvedHandlingOptions {
  readonly store: DeliveryStore | TransactionalDeliveryStore<unknown> | undefined
  readonly endpoint: string
  readonly lease: number
  readonly timeout: number
  readonly storeTimeout: number
  readonly events: ReadonlySet<string>
  readonly onRejected: RejectedHook | false | undefined
  readonly onHandling: HandlingHook | undefined
  readonly now: () => number
  readonly randomToken: () => string
  readonly random: () => number
}

/** The defaults, in the units of the options. */
export const HANDLING_DEFAULTS = {
  endpoint: 'default',
  lease: 30,
  timeout: 25,
  storeTimeout: 2,
} as const

const NAMES = [
  'store',
  'endpoint',
  'lease',
  'timeout',
  'storeTimeout',
  'extraEvents',
  'onRejected',
  'onHandling',
  'now',
  'randomToken',
  'random',
] as const satisfies readonly (keyof DeliveryHandlerOptions)[]

/**
 * Judges the options and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveHandlingOptions(options: unknown): ResolvedHandlingOptions {
  const given = optionsRecord(options, NAMES, '{ store: memoryStore() }')
  const { store, onRejected, onHandling, extraEvents = [], now = Date.now } = given
  const {
    endpoint = HANDLING_DEFAULTS.endpoint,
    lease = HANDLING_DEFAULTS.lease,
    timeout = store === undefined ? Number.POSITIVE_INFINITY : HANDLING_DEFAULTS.timeout,
    storeTimeout = HANDLING_DEFAULTS.storeTimeout,
    randomToken = () => crypto.randomUUID(),
    random = Math.random,
  } = given
  return {
    store: settle('store', store, STORE),
    endpoint: settle('endpoint', endpoint, ENDPOINT),
    lease: settle('lease', lease, LEASE),
    timeout: settle('timeout', timeout, TIMEOUT),
    storeTimeout: settle('storeTimeout', storeTimeout, WAIT),
    events: new Set<string>([...EVENTS, ...settle('extraEvents', extraEvents, EXTRA_EVENTS)]),
    onRejected: settle('onRejected', onRejected, HOOK),
    onHandling: settle('onHandling', onHandling, STEPS),
    now: settle('now', now, CLOCK),
    randomToken: settle('randomToken', randomToken, TOKENS),
    random: settle('random', random, RANDOM),
  }
}

export function isTransactional(
  store: NonNullable<ResolvedHandlingOptions['store']>,
): store is TransactionalDeliveryStore<unknown> {
  return 'transact' in store
}

const STORE: Setting<ResolvedHandlingOptions['store']> = {
  is: (value): value is ResolvedHandlingOptions['store'] =>
    value === undefined ||
    (isRecord(value) &&
      (has(value, ['transact']) || has(value, ['claim', 'complete', 'release', 'extend']))),
  wanted:
    'a store with the methods claim, complete, release and extend, or with transact, such as memoryStore()',
}

const ENDPOINT: Setting<string> = {
  is: (value): value is string => typeof value === 'string' && /^[\w.-]{1,64}$/.test(value),
  wanted: "1 to 64 letters, digits, dots, hyphens and underscores, such as 'billing'",
}

const EXTRA_EVENTS: Setting<readonly string[]> = {
  is: (value): value is readonly string[] =>
    Array.isArray(value) &&
    value.every((name) => typeof name === 'string' && name !== '' && !FALLBACKS.includes(name)),
  wanted: "an array of event names, such as ['message.reacted'], without 'unknown' and 'any'",
}

const HOOK: Setting<RejectedHook | false | undefined> = {
  is: (value): value is RejectedHook | false | undefined =>
    value === undefined || value === false || typeof value === 'function',
  wanted: 'a function, or false',
}

const STEPS: Setting<HandlingHook | undefined> = {
  is: (value): value is HandlingHook | undefined =>
    value === undefined || typeof value === 'function',
  wanted: 'a function',
}

const TOKENS: Setting<() => string> = {
  is: (value): value is () => string => typeof value === 'function',
  wanted: 'a function that gives another string each time, such as () => crypto.randomUUID()',
}

const RANDOM: Setting<() => number> = {
  is: (value): value is () => number => typeof value === 'function',
  wanted: 'a function that gives a number from 0 up to 1, such as Math.random',
}

function has(store: Readonly<Record<string, unknown>>, methods: readonly string[]): boolean {
  return methods.every((method) => typeof store[method] === 'function')
}
