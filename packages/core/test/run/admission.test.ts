import { memoryStore } from '@webhook-receiver/core'
import { expect, test, vi } from 'vitest'
import { delivered, failOnUnhandled, handling, hanging, transacting } from '../handling/stores.ts'

failOnUnhandled()

test.each([
  [
    'leases',
    (respond: () => Promise<void>) => ({
      ...memoryStore(),
      claim: () => respond().then(() => ({ status: 'claimed' })),
    }),
  ],
  [
    'transactions',
    (respond: () => Promise<void>) =>
      transacting(async (_key, work) => {
        await respond()
        await work(undefined)
        return { status: 'claimed' }
      }),
  ],
])(
  'a store with %s that responds too late is asked about one delivery at a time, and about one more for each response in time',
  async (_, storeOf) => {
    vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const respond = vi.fn<() => Promise<void>>(hanging)
    const handle = handling(undefined, { store: storeOf(respond) })
    const deliver = () => handle(delivered()).catch((error: { detail: string }) => error.detail)
    /** Of so many deliveries at the same time, how many the store is asked about; and what became of the last. */
    const asked = async (count: number) => {
      respond.mockClear()
      const outcomes = Promise.all(Array.from({ length: count }, deliver))
      await vi.advanceTimersByTimeAsync(2000)
      return [respond.mock.calls.length, (await outcomes).at(-1)]
    }
    const behind = expect.stringMatching(
      /has not responded in time to earlier calls\. The handler did/,
    )
    expect(await asked(100)).toEqual([100, expect.stringContaining('did not respond within 2 s')])
    expect(await asked(150)).toEqual([1, behind])
    respond.mockImplementation(async () => {})
    for (const count of [1, 2, 4]) expect(await asked(150)).toEqual([count, behind])
    respond.mockImplementation(hanging)
    expect(await asked(150)).toEqual([8, behind])
    expect(await asked(150)).toEqual([1, behind])
    respond.mockImplementation(async () => {})
    for (const count of [1, 2, 4, 8, 16, 32, 64]) expect(await asked(150)).toEqual([count, behind])
    expect((await asked(150))[0]).toBe(150)
  },
)
