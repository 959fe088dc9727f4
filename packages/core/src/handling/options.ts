import type { RejectedHook } from '../hooks.ts'
import { REJECTED_HOOK } from '../options.ts'
import { EVENTS } from '../parse/event.ts'
import { checkOptions, isRecord, type OptionTable } from '../validate/check-options.ts'
import {
  CLOCK,
  DURATION,
  EVENT_NAMES,
  functionRule,
  optional,
  rule,
  stringRule,
  TIMEOUT,
} from '../validate/rule.ts'
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
   * Called for each delivery that is answered 503 here, in place of the default: one line on standard error per
   * reason and minute (ten a second where NODE_ENV is development), and none for `delivery_in_progress`. `false` silences it.
   */
  readonly onRejected?: RejectedHook | false | undefined
  /**
   * Called for each step of a delivery: claimed, duplicate, completed, failed. What it throws changes no answer.
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

const OPTIONS = {
  store: [
    rule<ResolvedHandlingOptions['store']>(
      'a store with the methods claim, complete, release and extend, or with transact, such as memoryStore()',
      isStore,
    ),
  ],
  endpoint: [
    stringRule(
      "1 to 64 letters, digits, dots, hyphens and underscores, such as 'billing'",
      /^[\w.-]{1,64}$/,
    ),
    HANDLING_DEFAULTS.endpoint,
  ],
  lease: [DURATION, HANDLING_DEFAULTS.lease],
  timeout: [optional(TIMEOUT)],
  storeTimeout: [DURATION, HANDLING_DEFAULTS.storeTimeout],
  extraEvents: [
    rule<readonly string[]>(
      `${EVENT_NAMES.expected}, without 'unknown' and 'any'`,
      (value) => EVENT_NAMES.is(value) && !value.some((name) => FALLBACKS.includes(name)),
    ),
    [],
  ],
  onRejected: [REJECTED_HOOK],
  onHandling: [optional(functionRule<HandlingHook>('a function'))],
  now: [optional(CLOCK)],
  randomToken: [
    optional(
      functionRule<() => string>(
        'a function that returns another string each time, such as () => crypto.randomUUID()',
      ),
    ),
  ],
  random: [
    optional(
      functionRule<() => number>(
        'a function that returns a number from 0 up to 1, such as Math.random',
      ),
    ),
  ],
} as const satisfies {
  readonly [Name in keyof Required<DeliveryHandlerOptions>]: OptionTable[string]
}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveHandlingOptions(options: unknown): ResolvedHandlingOptions {
  const checked = checkOptions(options, OPTIONS, '{ store: memoryStore() }')
  const { store, extraEvents, ...others } = checked
  const defaultTimeout = store === undefined ? Number.POSITIVE_INFINITY : HANDLING_DEFAULTS.timeout
  return {
    ...others,
    store,
    timeout: others.timeout ?? defaultTimeout,
    events: new Set<string>([...EVENTS, ...extraEvents]),
    now: others.now ?? Date.now,
    randomToken: others.randomToken ?? (() => crypto.randomUUID()),
    random: others.random ?? Math.random,
  }
}

export function isTransactional(
  store: NonNullable<ResolvedHandlingOptions['store']>,
): store is TransactionalDeliveryStore<unknown> {
  return 'transact' in store
}

function isStore(value: unknown): boolean {
  if (value === undefined) return true
  if (!isRecord(value)) return false
  return has(value, ['transact']) || has(value, ['claim', 'complete', 'release', 'extend'])
}

function has(store: Readonly<Record<string, unknown>>, methods: readonly string[]): boolean {
  return methods.every((method) => typeof store[method] === 'function')
}
