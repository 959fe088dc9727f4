import { randomUUID } from 'node:crypto'
import type { Claim, DeliveryStore } from '@webhook-receiver/core'
import { wait } from '@webhook-receiver/core/internal'

/** What a store is created with. */
export interface StoreSetup {
  /** How long done marks are kept, in seconds; `undefined` leaves it to the store's own default. */
  readonly retention: number | undefined
}

export type CreateStore<Store extends DeliveryStore = DeliveryStore> = (
  setup: StoreSetup,
) => Store | Promise<Store>

/** The times and counts of the checks, with every default in its place. */
export interface StoreCheckSettings {
  /** Length of a lease that is to run out, in seconds. */
  readonly lease: number
  /** How late a lease or a done mark may end, in seconds. */
  readonly margin: number
  /** How many keys are claimed at the same time. */
  readonly keys: number
}

/** What one check works with. */
export interface StoreCheckContext extends StoreCheckSettings {
  readonly store: DeliveryStore
  /** A second store over the same data where stores are shared; otherwise the same store. */
  readonly other: DeliveryStore
  /** Makes a store that keeps its done marks for so many seconds. */
  retaining(retention: number): Promise<DeliveryStore>
}

/** One rule of the store interface. `run` rejects if the store breaks it. */
export interface StoreCheck {
  readonly name: string
  /** Whether it asks so much at once that another check would see its leases end meanwhile. */
  readonly isHeavy?: boolean
  run(context: StoreCheckContext): Promise<void>
}

/** A lease that does not run out during a check, in seconds. */
export const LONG = 120

/** A key that no other check, run or process uses. */
export function freshKey(): string {
  return `conformance:${randomUUID()}`
}

export function freshToken(): string {
  return randomUUID()
}

/** Fails the check, with what was seen. */
export function expectThat(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem)
}

export async function expectClaim(
  claim: Claim | Promise<Claim>,
  status: Claim['status'],
  when: string,
): Promise<void> {
  const made = await claim
  expectThat(
    made?.status === status,
    `${when}, a claim returned ${JSON.stringify(made)} and not "${status}"`,
  )
}

/** Claims a new key. */
export async function claimed(
  store: DeliveryStore,
  lease: number,
): Promise<[key: string, token: string]> {
  const [key, token] = [freshKey(), freshToken()]
  await expectClaim(store.claim(key, token, lease), 'claimed', 'while the key is free')
  return [key, token]
}

/** Expects what a claim with a new token returns. */
export async function expectNext(
  store: DeliveryStore,
  key: string,
  status: Claim['status'],
  when: string,
): Promise<void> {
  await expectClaim(store.claim(key, freshToken(), LONG), status, when)
}

export async function expectResult(
  result: boolean | Promise<boolean>,
  expected: boolean,
  what: string,
): Promise<void> {
  const got = await result
  expectThat(got === expected, `${what} returned ${JSON.stringify(got)} and not ${expected}`)
}

/** Repeats a claim until it is made, or fails. */
export async function claimUntilFree(
  store: DeliveryStore,
  key: string,
  seconds: number,
  token?: string,
): Promise<void> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const asked = performance.now()
    const claim = await store.claim(key, token ?? freshToken(), LONG)
    if (claim?.status === 'claimed') return
    expectThat(
      asked < end,
      `after ${seconds} s, a claim still returned ${JSON.stringify(claim)} and not "claimed"`,
    )
    await wait(20)
  }
}
