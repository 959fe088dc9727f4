import { describeStore } from '@webhook-receiver/conformance'
import type { DeliveryStore } from '@webhook-receiver/core'
import { wait } from '@webhook-receiver/core/internal'
import { describe, expect, test } from 'vitest'

interface LeaseSetup extends StoreSuiteOptions {
  open(options: { readonly retention?: number | undefined }): DeliveryStore
  /**
   * What the database has for a key. With it, a step after the end of its lease has to return false and change nothing.
   * @default undefined
   */
  readonly rowOf?: ((key: string) => unknown) | undefined
}

type StoreSuiteOptions = NonNullable<Parameters<typeof describeStore<DeliveryStore>>[2]>

const LONGEST = 1_000_000_000

/** Tests a store with leases: all that conformance asks of a store, and what our own stores promise besides. */
export function describeLeases(name: string, { open, rowOf, ...options }: LeaseSetup): void {
  // Most of a check is waiting for leases.
  describe.concurrent('conformance', () => describeStore(name, open, options))

  describe(`${name}, besides`, () => {
    test('says how long the lease of another still runs', async () => {
      const store = open({})
      await store.claim('running', 'token', 75)
      const claim = await store.claim('running', 'other', 60)
      expect(claim).toEqual({ status: 'in_progress', retryAfter: expect.closeTo(75, -1) })
    })

    test('gives a step that is retried the result of the first time', async () => {
      const store = open({})
      const twice = async (step: () => unknown) => [await step(), await step()]
      const claim = () => store.claim('again', 'token', 30)
      expect(await twice(claim)).toEqual([{ status: 'claimed' }, { status: 'claimed' }])
      expect(await twice(() => store.extend('again', 'token', 30))).toEqual([true, true])
      expect(await twice(() => store.complete('again', 'token'))).toEqual([true, true])
      expect(await store.complete('again', 'other')).toBe(false)
      expect(await claim()).toEqual({ status: 'done' })
    })

    test.runIf(rowOf).each([
      ['extend', (store: DeliveryStore, key: string) => store.extend(key, 'token', 30)],
      ['complete', (store: DeliveryStore, key: string) => store.complete(key, 'token')],
      ['release', (store: DeliveryStore, key: string) => store.release(key, 'token')],
    ])('returns false to %s after the lease ran out, and changes nothing', async (step, ask) => {
      const store = open({})
      const key = `ran out before ${step}`
      expect(await store.claim(key, 'token', 0.1)).toEqual({ status: 'claimed' })
      await wait(200)
      const before = await rowOf?.(key)
      expect(await ask(store, key)).toBe(false)
      expect(await rowOf?.(key)).toEqual(before)
      expect(await store.claim(key, 'other', 30)).toEqual({ status: 'claimed' })
    })

    test('takes a lease and a retention of a thousand million seconds, and none above', async () => {
      const store = open({ retention: LONGEST })
      expect(await store.claim('longest', 'token', LONGEST)).toEqual({ status: 'claimed' })
      expect(await store.extend('longest', 'token', LONGEST)).toBe(true)
      expect(await store.complete('longest', 'token')).toBe(true)
      expect(() => open({ retention: LONGEST + 1 })).toThrow(TypeError)
    })

    test.each([0, Number.NaN, LONGEST + 1])('rejects a lease of %s seconds', async (lease) => {
      const message = `\`lease\` should be a number of seconds above 0 and up to 1_000_000_000; got ${lease}.`
      for (const step of ['claim', 'extend'] as const) {
        const rejected = open({})[step]('key', 'token', lease)
        await expect(rejected).rejects.toThrow(new TypeError(message))
      }
    })
  })
}
