import type { DeliveryStore } from '@webhook-receiver/core'
import { describe, test } from 'vitest'
import { storeChecks } from './checks.ts'
import type { CreateStore, StoreCheck, StoreCheckContext, StoreCheckSettings } from './context.ts'

export interface StoreSuiteOptions<Store extends DeliveryStore = DeliveryStore> {
  /**
   * Whether two stores of `createStore` share what they keep, as on one server. The checks then work on
   * two of them.
   * @default false
   */
  readonly shared?: boolean | undefined
  /**
   * Length of the leases that run out during the checks, in seconds.
   * @default 0.4
   */
  readonly lease?: number | undefined
  /**
   * How late a lease or a done mark may end, in seconds.
   * @default 3
   */
  readonly margin?: number | undefined
  /**
   * How many keys are claimed at the same time, by 20 each.
   * @default 50
   */
  readonly keys?: number | undefined
  /** Called for each store that was made, when its check is over. */
  readonly close?: ((store: Store) => unknown) | undefined
}

/** The result of one check. */
export interface StoreCheckResult {
  readonly name: string
  /** What is wrong, in a sentence; `undefined` if nothing is. */
  readonly problem: string | undefined
}

/**
 * Runs every check of the store interface against a store, one test each. Call it at the top level of
 * a test file, or in `describe.concurrent`: most of a check is waiting. The stores are used with keys and
 * clocks of their own: leases are short, and waited for.
 *
 * @example
 * describeStore('my store', ({ retention }) => myStore({ retention }))
 */
export function describeStore<Store extends DeliveryStore>(
  name: string,
  createStore: CreateStore<Store>,
  options: StoreSuiteOptions<Store> = {},
): void {
  describe(name, () => {
    for (const check of storeChecks) {
      const run = check.isHeavy ? test.sequential : test
      run(check.name, { timeout: 300_000 }, async ({ expect }) => {
        const { problem } = await runStoreCheck(check, createStore, options)
        expect(problem).toBeUndefined()
      })
    }
  })
}

/** Runs every check of the store interface, one after the other, and resolves to the results. */
export async function runStoreChecks<Store extends DeliveryStore>(
  createStore: CreateStore<Store>,
  options: StoreSuiteOptions<Store> = {},
): Promise<StoreCheckResult[]> {
  const results: StoreCheckResult[] = []
  for (const check of storeChecks) results.push(await runStoreCheck(check, createStore, options))
  return results
}

/** How often a check is run again because the machine stood still for a part of a lease. */
const RETRIES = 5

/** Runs one check on new stores. Each retry doubles its leases. */
export async function runStoreCheck<Store extends DeliveryStore>(
  check: StoreCheck,
  createStore: CreateStore<Store>,
  options: StoreSuiteOptions<Store> = {},
): Promise<StoreCheckResult> {
  for (let tries = 0; ; tries++) {
    const lease = settingsOf(options).lease * 2 ** tries
    const stall = watchStalls()
    const result = await runOnce(check, createStore, { ...options, lease })
    const stalled = stall() > lease / 8
    if (result.problem === undefined || !stalled || tries === RETRIES) return result
  }
}

/** Watches until what it returns is called, which returns the longest time that the event loop stood still, in seconds. */
function watchStalls(): () => number {
  let longest = 0
  let last = performance.now()
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, 10)
  return () => {
    clearInterval(timer)
    look()
    return longest / 1000
  }
}

async function runOnce<Store extends DeliveryStore>(
  check: StoreCheck,
  createStore: CreateStore<Store>,
  options: StoreSuiteOptions<Store>,
): Promise<StoreCheckResult> {
  const stores: Store[] = []
  const open = async (retention?: number): Promise<Store> => {
    const store = await createStore({ retention })
    stores.push(store)
    return store
  }
  try {
    const store = await open()
    const other = options.shared === true ? await open() : store
    const context: StoreCheckContext = { ...settingsOf(options), store, other, retaining: open }
    await check.run(context)
    return { name: check.name, problem: undefined }
  } catch (error) {
    return { name: check.name, problem: error instanceof Error ? error.message : String(error) }
  } finally {
    await Promise.all(stores.map((store) => options.close?.(store)))
  }
}

function settingsOf(options: Omit<StoreSuiteOptions, 'close'>): StoreCheckSettings {
  const { lease = 0.4, margin = 3, keys = 50 } = options
  return { lease, margin, keys }
}
