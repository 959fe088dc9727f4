import type { Claim, DeliveryStore } from '@webhook-receiver/core'
import { wait } from '@webhook-receiver/core/internal'
import {
  claimed,
  expectResult,
  expectThat,
  freshKey,
  freshToken,
  LONG,
  type StoreCheck,
} from './context.ts'

/** How many claim one key at once. */
const RIVALS = 20

/** The rules for many who want the same key at once. */
export const rivalChecks: readonly StoreCheck[] = [
  {
    name: `gives a free key to exactly one of ${RIVALS} who claim it at once`,
    isHeavy: true,
    async run({ store, other, keys }) {
      await expectOneWinner(Array.from({ length: keys }, freshKey), store, other)
    },
  },
  {
    name: `gives a lease that ran out to exactly one of ${RIVALS} who claim it at once`,
    isHeavy: true,
    async run({ store, other, keys, lease }) {
      const held = await Promise.all(
        Array.from({ length: keys }, async () => (await claimed(store, lease))[0]),
      )
      await wait(lease * 1500)
      await expectOneWinner(held, store, other)
    },
  },
  {
    name: `lets exactly one of ${RIVALS} copies of a delivery be handled to its end`,
    isHeavy: true,
    async run({ store, other, keys, margin }) {
      const runs = new Map<string, number>()
      const copy = async (key: string, index: number): Promise<void> => {
        const mine = index % 2 === 0 ? store : other
        const token = freshToken()
        const deadline = performance.now() + (LONG / 4 + margin) * 1000
        for (;;) {
          const claim = await mine.claim(key, token, LONG)
          if (claim.status === 'done') return
          if (claim.status === 'claimed') {
            runs.set(key, (runs.get(key) ?? 0) + 1)
            await wait(5)
            await expectResult(mine.complete(key, token), true, 'complete by the owner')
            return
          }
          expectThat(
            performance.now() < deadline,
            'a copy waits for a done mark that does not come',
          )
          await wait(20)
        }
      }
      const contended = Array.from({ length: keys }, freshKey)
      await Promise.all(contended.flatMap((key) => rivals((index) => copy(key, index))))
      const handled = contended.map((key) => runs.get(key) ?? 0)
      expectThat(
        handled.every((times) => times === 1),
        `${keys} deliveries were handled ${handled.join(', ')} times`,
      )
    },
  },
]

async function expectOneWinner(
  keys: readonly string[],
  store: DeliveryStore,
  other: DeliveryStore,
): Promise<void> {
  const results = await Promise.all(
    keys.map((key) =>
      Promise.all(
        rivals((index) => (index % 2 === 0 ? store : other).claim(key, freshToken(), LONG)),
      ),
    ),
  )
  for (const claims of results) {
    const count = (status: Claim['status']) =>
      claims.filter((claim) => claim?.status === status).length
    expectThat(
      count('claimed') === 1 && count('in_progress') === RIVALS - 1,
      `of ${RIVALS} claims at once ${count('claimed')} returned "claimed" and ${count('in_progress')} "in_progress"`,
    )
  }
}

function rivals<Result>(
  claim: (index: number) => Result | Promise<Result>,
): (Result | Promise<Result>)[] {
  return Array.from({ length: RIVALS }, (_, index) => claim(index))
}
