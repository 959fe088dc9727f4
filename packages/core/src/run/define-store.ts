import { madeBy } from '../copies/interfaces.ts'
import type { Verification } from '../delivery.ts'
import type { ResolvedHandlingOptions } from '../handling/options.ts'
import { CHANNELS, channel } from '../observe/channels.ts'
import { checkDeliveryKey, type DeliveryKey } from '../store/key.ts'
import { withRuns } from '../store/runs.ts'
import { warnOfSharedEndpoint } from '../store/shared-endpoint.ts'
import type { DeliveryStore, TransactionalDeliveryStore } from '../store/store.ts'
import { describeValue } from '../validate/describe.ts'
import { chosenKey, isIdTheKey, requireDecided } from '../verify/key.ts'
import type { ParsedDelivery } from '../verify/scheme.ts'
import { createLeaseRunner } from './lease-runner.ts'
import { isTransactional, observeStore } from './observed-store.ts'
import type { LeaseSettings, Runner } from './runner.ts'
import { createTransactionRunner } from './transaction-runner.ts'

type Store = DeliveryStore | TransactionalDeliveryStore<unknown>

/**
 * Makes a store of its methods, for the option `store`. What runs a delivery once on a store comes with it, so that an application
 * without a store does not bundle that. Changes the given object, and returns it.
 *
 * @param by the package of ours that makes it, which has the version of its core.
 *
 * @example
 * const store = defineStore<DeliveryStore>({
 *   async claim(key, token, lease) { … },
 *   …
 * })
 */
export function defineStore<Defined extends Store>(store: Defined, by?: string): Defined {
  withRuns(store, runsOn)
  return by === undefined ? store : madeBy(by, 'store', store)
}

/** How the deliveries of one handler are run. */
export interface Runs {
  /** What a delivery is remembered by, which may come without endpoint and key. */
  keyOf(given: Identified, delivery: ParsedDelivery): DeliveryKey
  /** The runner for the next delivery: calls of the store are reported only while somebody listens. */
  runner(): Runner
}

/** What is known of a delivery besides its content. */
export interface Identified {
  readonly endpoint?: string | undefined
  readonly key?: string | undefined
  readonly unsigned?: Verification['unsigned'] | undefined
}

export type RunsSettings = LeaseSettings &
  Pick<ResolvedHandlingOptions, 'endpoint' | 'onStoreCall' | 'scheme' | 'duplicates'>

/** Gets the store once more, since a copy of it may have other methods. */
export type RunsOn = (store: Store, settings: RunsSettings, handlers: unknown) => Runs

/** @throws TypeError for a store without the methods of one. */
const runsOn: RunsOn = (store, settings, handlers) => {
  checkMethods(store)
  warnOfSharedEndpoint(store, settings.endpoint, settings.scheme, handlers)
  const calls = channel(CHANNELS.store)
  const silent = runnerOn(store, settings)
  const observed = runnerOn(observeStore(store, settings, calls), settings)
  return {
    keyOf: (given, delivery) => deliveryKeyOf(given, delivery, settings),
    runner: () => (settings.onStoreCall || calls?.hasSubscribers ? observed : silent),
  }
}

function checkMethods(store: Store): void {
  const has = (names: readonly string[]) =>
    names.every((name) => typeof Reflect.get(store, name) === 'function')
  if (has(['transact']) || has(['claim', 'complete', 'release', 'extend'])) return
  throw new TypeError(
    `\`store\` should have the methods claim, complete, release and extend, or transact; got ${describeValue(store)}.`,
  )
}

function runnerOn(store: Store, settings: LeaseSettings): Runner {
  return isTransactional(store)
    ? createTransactionRunner(store, settings)
    : createLeaseRunner(store, settings)
}

/**
 * What a delivery is remembered by, which may come without endpoint and key.
 *
 * @throws TypeError for a key of an unsigned id that nobody chose, and without one that could be made here.
 */
function deliveryKeyOf(
  given: Identified,
  delivery: ParsedDelivery,
  settings: RunsSettings,
): DeliveryKey {
  requireDecided(given, settings.duplicates)
  const { endpoint } = given
  if (endpoint !== undefined || given.key !== undefined) return checkDeliveryKey(given)
  return { endpoint: settings.endpoint, key: keyFor(delivery, settings) }
}

/**
 * The key of a delivery that comes without one.
 *
 * @throws TypeError without a key that could be made here: nothing is acknowledged that cannot be told apart.
 */
function keyFor(
  delivery: ParsedDelivery,
  { scheme, duplicates }: Pick<RunsSettings, 'scheme' | 'duplicates'>,
): string {
  const own = () => {
    if (isIdTheKey(scheme) && duplicates !== 'body' && delivery.id) return delivery.id
    throw new TypeError(
      'The delivery comes without its key. Store `verification.endpoint` and `verification.key` with it, and pass both: ' +
        'handle(delivery, { endpoint, key }).',
    )
  }
  if (typeof duplicates !== 'function') return own()
  return chosenKey(duplicates, delivery, {
    get key() {
      return own()
    },
  })
}
