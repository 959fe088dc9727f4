import type { ContractKind } from '../contract/event.ts'
import type { DeliveryFor } from '../delivery.ts'
import type { RejectedHook } from '../hooks.ts'
import {
  defaultEndpoint,
  ENDPOINT,
  hookOrFalse,
  leftOut,
  RECEIVER_OPTIONS,
  SHARED,
  type SharedValues,
} from '../options.ts'
import type { NoSchemas } from '../parse/schema.ts'
import type { DeliveryStore, TransactionalDeliveryStore } from '../store/store.ts'
import type { StoreCallHook } from '../store/store-call.ts'
import { isCallable } from '../validate/callable.ts'
import { checkOptions, type TableOf } from '../validate/check-options.ts'
import { isRecord } from '../validate/record.ts'
import {
  DURATION,
  EVENT_NAMES,
  functionRule,
  hookRule,
  madeRule,
  optional,
  type Rule,
  rule,
  TIMEOUT,
} from '../validate/rule.ts'
import { type Duplicates, requireDuplicates } from '../verify/duplicates.ts'
import type { Scheme, SchemeKind } from '../verify/scheme.ts'
import { FALLBACKS } from './dispatch.ts'
import type { HandlingHook } from './steps.ts'

/** The options that say how deliveries are handled. Each is checked once, when the handler is created. */
export interface HandlingOptions<
  ExtraEvent extends string = never,
  Transaction = undefined,
  Kind extends SchemeKind = ContractKind,
> {
  /**
   * How the service signs: the same as in the receiver.
   * @default the contract
   */
  readonly scheme?: Scheme<unknown, Kind> | undefined
  /**
   * Which deliveries are the same for the store: the same as in the receiver. It is required with a store where the signature does
   * not cover the id.
   * @default 'id', where the signature covers it
   */
  readonly duplicates?: Duplicates<Kind, DeliveryFor<Kind, NoSchemas, ExtraEvent>> | undefined
  /**
   * Remembers which deliveries were handled. Anything without the four methods of a `DeliveryStore`, or the one of a
   * `TransactionalDeliveryStore`, is a TypeError.
   * @default none: a duplicate is handled again
   * @example { store: memoryStore() }
   */
  readonly store?: DeliveryStore | TransactionalDeliveryStore<Transaction> | undefined
  /**
   * Separates handlers that share a store: a delivery is handled once for each endpoint. What comes with its `verification.endpoint`
   * has that one. Anything but 1 to 64 letters, digits, dots, hyphens and underscores is a TypeError.
   * @default 'default'; with a `scheme` its name
   */
  readonly endpoint?: string | undefined
  /**
   * How long a claim is valid if its process dies, in seconds. While the handler runs, it is extended after each third of
   * this time. Anything but a number above 0 and up to 86,400 is a TypeError.
   * @default 30
   */
  readonly lease?: number | undefined
  /**
   * How long the handler may run before the status is 503, in seconds. The handler continues and keeps its claim. Choose less
   * than the service waits. Without a store, there is no limit, because the next copy would run at the same time. Anything but a number above 0 and up to 86,400, or `Infinity`, is a TypeError.
   * @default 25, or four fifths of what the service waits if that is less; without a store `Infinity`, unless the service acts on the response
   */
  readonly timeout?: number | undefined
  /**
   * How long the handler may run at all, in seconds. After that `signal` is aborted, the claim is no longer extended, a
   * transaction ends with its connection, and the next copy is handled. Anything but a number above 0 and up to 86,400, or
   * `Infinity`, is a TypeError, and so is less than a finite `timeout`.
   * @default 900, or `timeout` if that is longer; in `createDeliveryHandler` `Infinity`, because a job of a queue may take hours
   * @example { store: memoryStore(), timeout: 8, abandonAfter: 600 }
   */
  readonly abandonAfter?: number | undefined
  /**
   * How long to wait for the store, in seconds. After that the status is 503. Anything but a number above 0 and up to
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
   * Called for each delivery that gets status 503 here. The default writes one line per cause and minute to standard
   * error (ten a second if NODE_ENV is development), and none for `delivery_in_progress`. `false` writes nothing.
   */
  readonly onRejected?: RejectedHook | false | undefined
  /**
   * Called for each step of a delivery: claimed, duplicate, completed, failed, ignored. If it throws an error, the response does not change.
   * Anything but a function is a TypeError.
   * @example { onHandling: ({ step, event, duration }) => console.log(step, event, duration) }
   */
  readonly onHandling?: HandlingHook | undefined
  /**
   * Called for each verified delivery whose event has no handler. `false` writes nothing. If the hook throws an error, the response does not
   * change. Anything else is a TypeError.
   * @default one line for each name of an event on standard error, at most 32 in a process
   * @example { onIgnored: ({ event, id }) => console.warn('no handler', event, id) }
   */
  readonly onIgnored?: HandlingHook | false | undefined
  /**
   * Called after each call of the store. If it throws an error, the response does not change. Anything but a function is a
   * TypeError.
   * @example { onStoreCall: ({ operation, result }) => console.log(operation, result) }
   */
  readonly onStoreCall?: StoreCallHook | undefined
  /**
   * The clock: milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
  /**
   * Returns a number from 0 up to 1, for the jitter between retries of a store call.
   * @default Math.random
   */
  readonly random?: (() => number) | undefined
}

/** What only handlers need to know: each option as it was checked. */
export interface HandlingValues {
  readonly store: DeliveryStore | TransactionalDeliveryStore<unknown> | undefined
  readonly lease: number
  readonly timeout: number | undefined
  readonly abandonAfter: number | undefined
  readonly storeTimeout: number
  readonly extraEvents: readonly string[]
  readonly onHandling: HandlingHook | undefined
  readonly onIgnored: HandlingHook | false | undefined
  readonly onStoreCall: StoreCallHook | undefined
  readonly random: (() => number) | undefined
}

/** What a worker's handler needs to know: without a request, no function of one can name the endpoint. */
type WorkerValues = Omit<SharedValues, 'endpoint'> &
  HandlingValues & { readonly endpoint: string | undefined }

/** The options with every default in its place. */
export interface ResolvedHandlingOptions extends Omit<WorkerValues, 'extraEvents'> {
  readonly endpoint: string
  readonly timeout: number
  readonly abandonAfter: number
  readonly events: ReadonlySet<string>
  readonly now: () => number
  readonly random: () => number
}

// The defaults, in the units of the options. No object: bundlers would keep the table of options for those who read none, since a property that
// it reads may be an accessor.
const LEASE = 30
const HANDLER_TIMEOUT = 25
const STORE_TIMEOUT = 2

/** The options that only handlers have: the rule and the default of each. */
export const HANDLING: TableOf<HandlingValues> = {
  store: [
    madeRule(
      'store',
      rule<HandlingValues['store']>(
        'a store with the methods claim, complete, release and extend, or with transact, such as memoryStore()',
        isStore,
      ),
    ),
  ],
  lease: [DURATION, LEASE],
  timeout: [optional(TIMEOUT)],
  abandonAfter: [optional(TIMEOUT)],
  storeTimeout: [DURATION, STORE_TIMEOUT],
  // The handlers have functions of these names for other events.
  extraEvents: [withoutFallbacks(EVENT_NAMES), []],
  onHandling: [hookRule<HandlingHook>()],
  onIgnored: [hookOrFalse<HandlingHook>()],
  onStoreCall: [hookRule<StoreCallHook>()],
  random: [
    optional(
      functionRule<() => number>(
        'a function that returns a number from 0 up to 1, such as Math.random',
      ),
    ),
  ],
}

/* @__NO_SIDE_EFFECTS__ */
function withoutFallbacks({ expected, is }: Rule<readonly string[]>): Rule<readonly string[]> {
  return rule(
    `${expected}, without 'unknown' and 'any'`,
    (value) => is(value) && !value.some((name) => FALLBACKS.includes(name)),
  )
}

/** The names of all options, of receivers too. */
export function optionNames(): readonly string[] {
  return Object.keys({ ...RECEIVER_OPTIONS, ...HANDLING })
}

export const HANDLING_EXAMPLE = '{ store: memoryStore() }'

/**
 * Checks the options of a worker's handler and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveHandlingOptions(options: unknown = {}): ResolvedHandlingOptions {
  const table: TableOf<WorkerValues> = {
    ...SHARED,
    endpoint: [optional(ENDPOINT)],
    ...HANDLING,
  }
  const checked = checkOptions(options, table, HANDLING_EXAMPLE)
  return handlingSettings({
    ...checked,
    abandonAfter: checked.abandonAfter ?? Number.POSITIVE_INFINITY,
  })
}

/**
 * The settings of a handler, from checked options.
 *
 * @throws TypeError for options that do not fit one another, or the scheme.
 */
export function handlingSettings(
  checked: WorkerValues & { readonly abandonAfter: number },
): ResolvedHandlingOptions {
  const { scheme, store, extraEvents, ...others } = checked
  const { patience = Number.POSITIVE_INFINITY, events = [] } = scheme
  const shortest = patience > HANDLER_TIMEOUT ? HANDLER_TIMEOUT : patience * 0.8
  if (store) requireDuplicates(scheme, others.duplicates)
  if (store && scheme.decision) {
    throw leftOut('store', scheme, 'acts on the response, and a duplicate would get none')
  }
  // A decision that comes too late is none, and a store would have no use there.
  const isBound = store !== undefined || scheme.decision === true
  const timeout = others.timeout ?? (isBound ? shortest : Number.POSITIVE_INFINITY)
  if (others.abandonAfter < timeout && timeout < Number.POSITIVE_INFINITY) {
    throw new TypeError(
      `\`abandonAfter\` should be at least the \`timeout\` of ${timeout} s; got ${others.abandonAfter}.`,
    )
  }
  return {
    ...others,
    scheme,
    store,
    endpoint: others.endpoint ?? defaultEndpoint(scheme),
    timeout,
    events: new Set<string>([...events, ...extraEvents]),
    now: others.now ?? (() => Date.now()),
    random: others.random ?? Math.random,
  }
}

/** The default of `abandonAfter` for handlers of requests, in seconds: no service waits as long, nor does it stop retrying so soon. */
const ABANDON_REQUEST_AFTER = 900

/** What `abandonAfter` is in a `webhookHandler` that says nothing. */
export function defaultAbandonAfter(timeout = 0): number {
  return timeout < Number.POSITIVE_INFINITY
    ? Math.max(timeout, ABANDON_REQUEST_AFTER)
    : ABANDON_REQUEST_AFTER
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
  return methods.every((method) => isCallable(store[method]))
}
