import { createDeliveryHandler, memoryStore } from '@webhook-receiver/core'
import { expect, test, vi } from 'vitest'
import { delivered, failOnUnhandled, sleep, transacting } from '../handling/stores.ts'

failOnUnhandled()

/** Does one thing after the other, each in 50 ms, as a database with a small pool. */
function slowly() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(action: () => Result | PromiseLike<Result>): Promise<Result> => {
    const result = last.then(() => sleep(50)).then(action)
    last = result.catch(() => {})
    return result
  }
}

function slowLeases() {
  const { claim, complete, release, extend, forget } = memoryStore({ now: Date.now })
  const inTurn = slowly()
  return {
    claim: (...asked: Parameters<typeof claim>) => inTurn(() => claim(...asked)),
    complete: (...asked: Parameters<typeof complete>) => inTurn(() => complete(...asked)),
    release: (...asked: Parameters<typeof release>) => inTurn(() => release(...asked)),
    extend: (...asked: Parameters<typeof extend>) => inTurn(() => extend(...asked)),
    forget: (...asked: Parameters<typeof forget>) => inTurn(() => forget(...asked)),
  }
}

function slowTransactions() {
  const done = new Set<string>()
  const inTurn = slowly()
  return transacting<undefined>(async (key, work) =>
    inTurn(async () => {
      if (done.has(key)) return { status: 'done' }
      await work(undefined)
      done.add(key)
      return { status: 'claimed' }
    }),
  )
}

test.each([
  ['leases', slowLeases],
  ['transactions', slowTransactions],
])(
  'a burst that a store cannot follow, with %s, is handled with the retries, each delivery once',
  async (_, storeOf) => {
    vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const runs = new Map<string, number>()
    const store = storeOf() as never
    const work = ({ id }: { id: string }) => void runs.set(id, (runs.get(id) ?? 0) + 1)
    const handle = createDeliveryHandler({ any: work }, { store, onRejected: false })
    let acknowledged = 0
    for (let count = 0; count < 150; count++) {
      const delivery = delivered()
      const deliver = (): Promise<unknown> =>
        handle(delivery).then(
          () => acknowledged++,
          () => sleep(2000).then(deliver),
        )
      void deliver()
    }
    for (let second = 0; second < 120 && acknowledged < 150; second++) {
      await vi.advanceTimersByTimeAsync(1000)
    }
    expect(acknowledged).toBe(150)
    expect([...runs.values()].filter((times) => times > 1)).toEqual([])
  },
)

test('a store that never responds is asked about one delivery at a time', async () => {
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const claim = vi.fn(() => new Promise<never>(() => {}))
  const store = { ...memoryStore(), claim }
  const handle = createDeliveryHandler({ any: () => {} }, { store, onRejected: false })
  const deliver = () => handle(delivered()).catch((error: { detail: string }) => error.detail)
  const first = Promise.all(Array.from({ length: 100 }, deliver))
  await vi.advanceTimersByTimeAsync(2000)
  await first
  for (const calls of [101, 102]) {
    const asked = deliver()
    expect(await deliver()).toMatch(
      /The store has not responded in time to earlier calls\. The handler did not run\./,
    )
    await vi.advanceTimersByTimeAsync(2000)
    expect(await asked).toContain('did not respond within 2 s')
    expect(claim).toHaveBeenCalledTimes(calls)
  }
})
