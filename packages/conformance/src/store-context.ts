import { randomUUID } from 'node:crypto'
import type { Claim, DeliveryStore } from '@webhook-receiver/core/handling'

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

/** A lease that does not run out during a check, in seconds. */
export const LONG = 120

/** A key that no other check, run or process uses. */
export function freshKey(ending = ''): string {
  return `conformance:${randomUUID()}${ending}`
}

export function freshToken(): string {
  return randomUUID()
}

/** Fails the check, with what was seen. */
export function expectThat(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem)
}

export async function expectClaim(
  claim: Promise<Claim>,
  status: Claim['status'],
  when: string,
): Promise<Claim> {
  const answer = await claim
  expectThat(
    answer?.status === status,
    `${when}, a claim is answered ${JSON.stringify(answer)} and not "${status}"`,
  )
  return answer
}

export async function expectAnswer(
  answer: Promise<boolean>,
  expected: boolean,
  what: string,
): Promise<void> {
  const got = await answer
  expectThat(got === expected, `${what} is answered ${JSON.stringify(got)} and not ${expected}`)
}

/** Repeats a claim until it is answered `status`. Resolves to the seconds that took, or fails. */
export async function claimUntil(
  status: Claim['status'],
  attempt: () => Promise<Claim>,
  seconds: number,
): Promise<number> {
  const started = performance.now()
  for (;;) {
    const answer = await attempt()
    const elapsed = (performance.now() - started) / 1000
    if (answer?.status === status) return elapsed
    expectThat(
      elapsed < seconds,
      `after ${elapsed.toFixed(1)} s a claim is still answered ${JSON.stringify(answer)} and not "${status}"`,
    )
    await sleep(0.02)
  }
}

export function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}
