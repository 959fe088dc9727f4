import type { Delivery } from '../delivery.ts'
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
import type { StoreCallHook } from './store-call.ts'

/** A delivery whose handler failed after the delivery was acknowledged. The service does not send it again. */
export interface LostDelivery {
  readonly delivery: Delivery
  readonly error: unknown
}

/** The options of every adapter's `deliveryHandler`. Each is checked once, when the handler is created. */
export interface DeliveryHandlerOptions<
  ExtraEvent extends string = never,
  Transaction = undefined,
> {
  /**
   * Remembers which deliveries were handled. Anything without the four methods of a `DeliveryStore`, or the one of a
   * `TransactionalDeliveryStore`, is a TypeError.
   * @default none: a duplicate is handled again
   */
  readonly store?: DeliveryStore | TransactionalDeliveryStore<Transaction> | undefined
  /**
   * Separates handlers that share a store: a delivery is handled once for each endpoint. Anything but
   * 1 to 64 letters, digits, dots, hyphens and underscores is a TypeError.
   * @default 'default'
   */
  readonly endpoint?: string | undefined
  /**
   * How long a claim is valid if its process dies, in seconds. While the handler runs, it is extended after each third of
   * this time. Anything but a number above 0 and up to 86,400 is a TypeError.
   * @default 30
   */
  readonly lease?: number | undefined
  /**
   * How long the handler may run before the answer is 503, in seconds. The handler continues and keeps its claim. Choose less
   * than the time-out of the service. Anything but a number above 0 and up to 86,400, or `Infinity`, is a TypeError.
   * @default 25; without a store `Infinity`, because otherwise the next copy would run at the same time
   */
  readonly timeout?: number | undefined
  /**
   * Acknowledges a delivery when its handler begins, not when it is done. If the handler fails, `onLost` is called, and the
   * service does not send the delivery again. If the process is killed while the handler runs, the delivery is lost and
   * nothing is called. `timeout` has no effect. Anything but an object with a function `onLost` is a TypeError.
   * @default none: a delivery is acknowledged when its handler is done
   */
  readonly acknowledgeEarly?:
    | { readonly onLost: (lost: LostDelivery) => void | Promise<void> }
    | undefined
  /**
   * How long to wait for an answer of the store, in seconds. Anything but a number above 0 and up to
   * 86,400 is a TypeError.
   * @default 2
   */
  readonly storeTimeout?: number | undefined
  /**
   * Names of your own events, besides the seven known ones: the same as in the receiver.
   * @default []
   */
  readonly extraEvents?: readonly ExtraEvent[] | undefined
  /**
   * Called for each delivery that is answered 503 here. The default writes one line per reason and minute to standard
   * error (ten a second if NODE_ENV is development), and none for `delivery_in_progress`. `false` writes nothing.
   */
  readonly onRejected?: RejectedHook | false | undefined
  /**
   * Called for each step of a delivery: claimed, duplicate, completed, failed, ignored. If it throws an error, the answer does not change.
   * Anything but a function is a TypeError.
   */
  readonly onHandling?: HandlingHook | undefined
  /**
   * Called after each call of the store. If it throws an error, the answer does not change. Anything but a function is a
   * TypeError.
   */
  readonly onStoreCall?: StoreCallHook | undefined
  /**
   * The clock: milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
  /**
   * Creates the token of a claim. It must return another string each time.
   * @default crypto.randomUUID
   */
  readonly randomToken?: (() => string) | undefined
  /**
   * Returns a number from 0 up to 1, for the jitter between retries of a store call.
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
  readonly acknowledgeEarly: DeliveryHandlerOptions['acknowledgeEarly']
  readonly storeTimeout: number
  readonly events: ReadonlySet<string>
  readonly onRejected: RejectedHook | false | undefined
  readonly onHandling: HandlingHook | undefined
  readonly onStoreCall: StoreCallHook | undefined
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
  acknowledgeEarly: [
    rule<DeliveryHandlerOptions['acknowledgeEarly']>(
      'an object with a function onLost, such as { onLost: ({ delivery, error }) => console.error(delivery.id, error) }',
      (value) => value === undefined || (isRecord(value) && typeof value.onLost === 'function'),
    ),
  ],
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
  onStoreCall: [optional(functionRule<StoreCallHook>('a function'))],
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
  const { store, extraEvents, acknowledgeEarly, ...others } = checked
  const given = store === undefined ? Number.POSITIVE_INFINITY : HANDLING_DEFAULTS.timeout
  // Nobody waits for an answer any more.
  const timeout = acknowledgeEarly ? Number.POSITIVE_INFINITY : (others.timeout ?? given)
  return {
    ...others,
    store,
    acknowledgeEarly,
    timeout,
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
