import type { DeliveryStore } from '@webhook-receiver/core'
import { wait } from '@webhook-receiver/core/internal'
import {
  claimed,
  claimUntilFree,
  expectNext,
  expectResult,
  expectThat,
  freshKey,
  freshToken,
  LONG,
  type StoreCheck,
} from './context.ts'

/** The rules for the claim of a key: who has it, and how long. */
export const claimChecks: readonly StoreCheck[] = [
  {
    name: 'gives a free key to one owner, and tells others when to retry',
    async run({ store, other }) {
      const key = freshKey()
      await expectNext(store, key, 'claimed', 'while the key is free')
      const claim = await other.claim(key, freshToken(), LONG)
      expectThat(
        claim?.status === 'in_progress',
        `the claim of a claimed key returned ${JSON.stringify(claim)}`,
      )
      const seconds = claim?.status === 'in_progress' ? claim.retryAfter : Number.NaN
      expectThat(
        seconds > 0 && seconds <= LONG + 1,
        `\`retryAfter\` is ${seconds} where ${LONG} s of the lease are left`,
      )
    },
  },
  {
    name: 'gives the key to the next after release',
    async run({ store, other }) {
      const [key, token] = await claimed(store, LONG)
      await expectResult(store.release(key, token), true, 'release by the owner')
      await expectNext(other, key, 'claimed', 'after release')
      await expectResult(store.release(key, token), false, 'release for the second time')
      await expectResult(store.complete(key, token), false, 'complete after release')
      await expectNext(store, key, 'in_progress', 'after all of that')
    },
  },
  {
    name: 'gives the key to the next when the lease has run out, and not before',
    async run({ store, other, lease, margin }) {
      const started = performance.now()
      const [key] = await claimed(store, lease)
      await claimUntilFree(other, key, lease + margin)
      const seconds = (performance.now() - started) / 1000
      expectThat(
        seconds >= lease - 0.01,
        `a lease of ${lease} s was over after ${seconds.toFixed(3)} s`,
      )
    },
  },
  {
    name: 'lets nobody but the owner complete, release or extend',
    async run({ store, other, lease, margin }) {
      const [key, token] = await claimed(store, LONG)
      for (const stranger of [freshToken(), `${token}x`, token.slice(1), token.toUpperCase(), '']) {
        await expectResult(other.complete(key, stranger), false, 'complete by a stranger')
        await expectResult(other.release(key, stranger), false, 'release by a stranger')
        await expectResult(other.extend(key, stranger, LONG), false, 'extend by a stranger')
      }
      await expectNext(other, key, 'in_progress', 'after strangers tried')
      await expectResult(store.complete(key, token), true, 'complete by the owner after that')
      const [short] = await claimed(store, lease)
      await expectResult(other.extend(short, freshToken(), LONG), false, 'extend by a stranger')
      await claimUntilFree(other, short, lease + margin)
    },
  },
  {
    name: 'lets the owner extend the lease, counted from now',
    async run({ store, other, lease, margin }) {
      const [key, token] = await claimed(store, lease)
      for (let times = 0; times < 6; times++) {
        await wait(lease * 250)
        await expectResult(store.extend(key, token, lease), true, 'extend by the owner in time')
        await expectNext(other, key, 'in_progress', 'after extend')
      }
      await claimUntilFree(other, key, lease + margin)
      const [long, owner] = await claimed(store, LONG)
      await expectResult(store.extend(long, owner, lease), true, 'extend to a shorter lease')
      await claimUntilFree(other, long, lease + margin)
    },
  },
  {
    name: 'lets nobody whose claim was taken over change anything',
    async run({ store, other, lease, margin }) {
      const [key, lost] = await claimed(store, lease)
      const owner = freshToken()
      await claimUntilFree(other, key, lease + margin, owner)
      await expectAllLost(store, key, lost, 'when another has the claim')
      await expectNext(store, key, 'in_progress', 'after that')
      await expectResult(other.complete(key, owner), true, 'complete by the new owner')
      await expectAllLost(store, key, lost, 'when another has completed')
      await expectNext(store, key, 'done', 'after that')
    },
  },
  {
    name: 'returns the right result to an owner whose lease has run out',
    async run({ store, other, lease }) {
      const late = async () => {
        const [key, token] = await claimed(store, lease)
        await wait(lease * 1500)
        return [key, token] as const
      }
      const [[first, a], [second, b], [third, c]] = await Promise.all([late(), late(), late()])
      const completed = await store.complete(first, a)
      await expectNext(
        other,
        first,
        completed ? 'done' : 'claimed',
        `after a late complete that returned ${completed}`,
      )
      const extended = await store.extend(second, b, LONG)
      await expectNext(
        other,
        second,
        extended ? 'in_progress' : 'claimed',
        `after a late extend that returned ${extended}`,
      )
      await store.release(third, c)
      await expectNext(other, third, 'claimed', 'after a late release')
    },
  },
  {
    name: 'reports nothing for a key that nobody claimed',
    async run({ store, other }) {
      const key = freshKey()
      await expectAllLost(store, key, freshToken(), 'when nobody has claimed it')
      await expectNext(other, key, 'claimed', 'after that')
    },
  },
]

async function expectAllLost(
  store: DeliveryStore,
  key: string,
  token: string,
  when: string,
): Promise<void> {
  await expectResult(store.complete(key, token), false, `complete ${when}`)
  await expectResult(store.release(key, token), false, `release ${when}`)
  await expectResult(store.extend(key, token, LONG), false, `extend ${when}`)
}
