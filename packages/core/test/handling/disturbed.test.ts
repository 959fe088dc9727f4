import { seeded } from '@webhook-receiver/checks/seeded.mjs'
import { createDeliveryHandler, type DeliveryStore, memoryStore } from '@webhook-receiver/core'
import { beforeEach, expect, test, vi } from 'vitest'
import { delivered, failOnUnhandled, sleep } from './stores.ts'

failOnUnhandled()

beforeEach(() => {
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
})

test.each([2, 3])(
  'runs each of 100 deliveries once, on a store whose connections are cut every 30 to 90 ms, with a lease of %d s',
  async (lease) => {
    const random = seeded(lease)
    vi.spyOn(Math, 'random').mockImplementation(random)
    const store = disturbed(memoryStore({ now: Date.now }), random)
    const runs = new Map<string, number>()
    const handle = createDeliveryHandler(
      {
        any: async ({ id }) => {
          runs.set(id, (runs.get(id) ?? 0) + 1)
          await sleep(5)
        },
      },
      { store, lease, onRejected: false },
    )
    const deliver = async (id: string): Promise<void> => {
      const outcome = await handle(delivered('message.received', id)).catch(() => 'rejected')
      if (outcome !== 'rejected') return
      await sleep(200 + random() * 200)
      await deliver(id)
    }
    const ids = Array.from({ length: 100 }, (_, index) => `id ${index}`)
    let acknowledged = 0
    for (const [index, id] of ids.entries()) {
      setTimeout(() => deliver(id).then(() => acknowledged++), index * 20)
    }
    while (acknowledged < ids.length) await vi.advanceTimersByTimeAsync(1000)
    expect(ids.filter((id) => runs.get(id) !== 1)).toEqual([])
  },
)

/**
 * A store whose results take 10 to 40 ms. A cut in that time loses the call or its result, and it takes
 * 20 to 60 ms to connect again.
 */
function disturbed(store: DeliveryStore, random: () => number): DeliveryStore {
  let connection: object | undefined
  const connect = () => {
    connection = {}
    setTimeout(cut, 30 + random() * 60)
  }
  const cut = () => {
    connection = undefined
    setTimeout(connect, 20 + random() * 40)
  }
  connect()
  const half = async (used: object | undefined) => {
    await sleep(5 + random() * 15)
    if (used === undefined || used !== connection) throw new Error('ECONNRESET')
  }
  const send = async <Result>(ask: () => Result | Promise<Result>): Promise<Result> => {
    const used = connection
    await half(used)
    const result = await ask()
    await half(used)
    return result
  }
  return {
    claim: (...asked) => send(() => store.claim(...asked)),
    complete: (...asked) => send(() => store.complete(...asked)),
    release: (...asked) => send(() => store.release(...asked)),
    extend: (...asked) => send(() => store.extend(...asked)),
    forget: (...asked) => send(() => store.forget(...asked)),
  }
}
