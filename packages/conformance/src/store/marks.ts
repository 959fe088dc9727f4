import { wait } from '@webhook-receiver/core/internal'
import {
  claimed,
  claimUntilFree,
  expectClaim,
  expectNext,
  expectResult,
  expectThat,
  freshKey,
  LONG,
  type StoreCheck,
} from './context.ts'

/** The rules for the mark of a key whose delivery is done. */
export const markChecks: readonly StoreCheck[] = [
  {
    name: 'returns done after complete, for longer than the lease was',
    async run({ store, other, lease }) {
      const [key, token] = await claimed(store, lease)
      await expectResult(store.complete(key, token), true, 'complete by the owner')
      await expectNext(other, key, 'done', 'after complete')
      await expectClaim(store.claim(key, token, LONG), 'done', 'after complete, with the old token')
      await wait(lease * 1500)
      await expectNext(other, key, 'done', 'when the lease would be over')
    },
  },
  {
    name: 'keeps a done mark whatever its owner does next',
    async run({ store, other }) {
      const [key, token] = await claimed(store, LONG)
      await store.complete(key, token)
      await expectResult(store.release(key, token), false, 'release after complete')
      await expectResult(store.extend(key, token, LONG), false, 'extend after complete')
      await expectNext(other, key, 'done', 'after both')
    },
  },
  {
    name: 'forgets a done mark, but no claim',
    async run({ store, other }) {
      await expectResult(store.forget(freshKey()), false, 'forget of a key that nobody claimed')
      const [key, token] = await claimed(store, LONG)
      await expectResult(other.forget(key), false, 'forget of a claim')
      await expectResult(store.complete(key, token), true, 'complete by the owner after that')
      await expectResult(other.forget(key), true, 'forget of a done mark')
      await expectResult(store.forget(key), false, 'forget for the second time')
      await expectResult(
        store.complete(key, token),
        false,
        'complete by the old owner after forget',
      )
      await expectNext(store, key, 'claimed', 'after forget')
      await expectNext(other, key, 'in_progress', 'after that')
    },
  },
  {
    name: 'keeps a done mark for its retention, and no longer',
    async run({ retaining, lease, margin }) {
      const retention = Math.max(1, Math.ceil(lease))
      const store = await retaining(retention)
      const [key, token] = await claimed(store, LONG)
      const started = performance.now()
      await expectResult(store.complete(key, token), true, 'complete by the owner')
      await expectNext(store, key, 'done', 'after complete')
      await claimUntilFree(store, key, retention + margin)
      const seconds = (performance.now() - started) / 1000
      expectThat(
        seconds >= retention - 0.01,
        `a done mark of ${retention} s was gone after ${seconds.toFixed(3)} s`,
      )
    },
  },
]
