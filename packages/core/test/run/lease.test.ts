import {
  createDeliveryHandler,
  type DeliveryStore,
  type HandlingOptions,
  memoryStore,
  WebhookError,
} from '@webhook-receiver/core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { expectRejection } from '../deliveries.ts'
import {
  delivered,
  failOnUnhandled,
  gate,
  hanging,
  sleep,
  storeWith,
  transactionalStore,
} from '../handling/stores.ts'

const quiet = { onRejected: false } satisfies HandlingOptions
const forever = { timeout: Number.POSITIVE_INFINITY, ...quiet }

failOnUnhandled()

beforeEach(() => {
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)
const up = async () => true
const down = async (): Promise<never> => {
  throw new Error('down')
}

/** A method that notes the seconds at which it is asked. */
function timed<Asked extends unknown[], Result>(method: (...asked: Asked) => Result) {
  const times: number[] = []
  return {
    times,
    method(...asked: Asked): Result {
      times.push(Date.now() / 1000)
      return method(...asked)
    },
  }
}

function clocked(replaced: Partial<DeliveryStore> = {}) {
  return storeWith({ ...memoryStore({ now: Date.now }), ...replaced })
}

/** A handler that works until it is told to stop, and notes when and why. */
function untilAborted() {
  const reported: { at: number; reason: unknown }[] = []
  const work = (_: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        reported.push({ at: Date.now() / 1000, reason: signal.reason })
        resolve()
      })
    })
  return { reported, work }
}

describe('a lease of 30 s', () => {
  test.each([
    ['is extended every 10 s while the handler runs, and no longer', up],
    ['survives a store that is away for less', () => (Date.now() < 29_000 ? down() : up())],
  ])('%s', async (_, result) => {
    const { times, method: extend } = timed(result)
    const handle = createDeliveryHandler(
      { any: () => sleep(65_000) },
      { store: clocked({ extend }), ...forever },
    )
    const outcome = handle(delivered())
    await pass(200)
    expect(await outcome).toBe('completed')
    expect(times).toEqual([10, 20, 30, 40, 50, 60])
  })

  test.each([
    ['its end, where the store is away', down, 30, [10, 20, 30]],
    [
      'its end, where the store goes away after it was extended',
      () => (Date.now() < 15_000 ? up() : down()),
      40,
      [10, 20, 30, 40],
    ],
    [
      'its end, where the store throws',
      () => {
        throw new Error('closed')
      },
      30,
      [10, 20, 30],
    ],
    [
      'its end, which counts from the request of the extension and not from its response',
      () => (Date.now() < 10_001 ? sleep(1500).then(up) : down()),
      40,
      [10, 21.5, 31.5, 40],
    ],
    // Each result is waited for 2 s; the last is asked for at the end itself.
    ['its end, where the store hangs', hanging, 32, [10, 22, 30]],
  ])('is lost at %s', async (_, result, end, asked) => {
    const { times, method: extend } = timed(result)
    const { reported, work } = untilAborted()
    const handle = createDeliveryHandler({ any: work }, { store: clocked({ extend }), ...forever })
    const rejected = expectRejection(handle(delivered()), 503, 'lease_lost')
    await pass(100)
    const { detail } = await rejected
    expect(detail).toContain('could not be reached')
    expect(detail).toContain('the 30 s of the lease')
    expect(reported.map(({ at }) => at)).toEqual([end])
    expect(times).toEqual(asked)
  })

  test.each([[false], [undefined]])(
    'is lost where the store returns %s: the handler is told, and nothing is completed',
    async (result) => {
      const store = clocked({ extend: async () => result as boolean })
      const { reported, work } = untilAborted()
      const handle = createDeliveryHandler({ any: work }, { store, ...forever })
      const rejected = expectRejection(handle(delivered()), 503, 'lease_lost')
      await pass(100)
      const { detail } = await rejected
      expect(detail).toContain('another process has it')
      expect(reported).toEqual([{ at: 10, reason: expect.any(WebhookError) }])
      expect(store.asked).toEqual(['claim', 'extend'])
    },
  )

  test('that was lost is the result even if the handler throws', async () => {
    const mine = new Error('I stopped')
    const { work } = untilAborted()
    const handle = createDeliveryHandler(
      { any: (delivery, context) => work(delivery, context).then(() => Promise.reject(mine)) },
      { store: clocked({ extend: async () => false }), ...forever },
    )
    const rejected = expectRejection(handle(delivered()), 503, 'lease_lost')
    await pass(10)
    expect((await rejected).cause).toBe(mine)
  })

  test('is extended at once after a handler has blocked the event loop', async () => {
    const { times, method: extend } = timed(up)
    const work = () => {
      vi.setSystemTime(25_000)
      return sleep(6000)
    }
    const handle = createDeliveryHandler({ any: work }, { store: clocked({ extend }), ...forever })
    const outcome = handle(delivered())
    await pass(6)
    expect(await outcome).toBe('completed')
    expect(times).toEqual([25])
  })

  test.each([
    ['that it was extended', up],
    ['that it was lost', async () => false],
    ['with an error', down],
    ['never', hanging],
  ])('whose handler is done does not care where an extension resolves %s', async (_, result) => {
    const late = gate()
    const { times, method: extend } = timed(() => late.promise.then(result))
    let aborted: AbortSignal | undefined
    const handle = createDeliveryHandler(
      {
        any: (_delivery, { signal }) => {
          aborted = signal
          return sleep(11_000)
        },
      },
      { store: clocked({ extend }) },
    )
    const outcome = handle(delivered())
    await pass(11)
    expect(await outcome).toBe('completed')
    late.open()
    await pass(100)
    expect(aborted?.aborted).toBe(false)
    expect(times).toEqual([10])
  })
})

describe('a handler that takes too long', () => {
  test('gets 503 after 25 s, goes on, keeps its claim, and is done at last', async () => {
    const work = vi.fn(() => sleep(100_000))
    const handle = createDeliveryHandler({ any: work }, { store: clocked(), ...quiet })
    const delivery = delivered()
    const first = expectRejection(handle(delivery), 503, 'handler_timeout')
    await pass(25)
    const { detail } = await first
    expect(detail).toContain('after 25 s')
    await pass(59)
    const copy = await expectRejection(handle(delivery), 503, 'delivery_in_progress')
    expect(copy.headers).toEqual({ 'Retry-After': '26' })
    await pass(16)
    expect(await handle(delivery)).toBe('duplicate')
    expect(work).toHaveBeenCalledOnce()
  })

  test('is waited for where there is no store, since nothing would tell the next copy', async () => {
    const handle = createDeliveryHandler({ any: () => sleep(3_600_000) })
    const outcome = handle(delivered())
    await pass(3600)
    expect(await outcome).toBe('completed')
  })
})

describe('a delivery that could not be marked as done', () => {
  test.each([
    [1, [0, 0.05, 0.15, 0.35, 0.75, 1.55, 2.55]],
    [0, [0, 0.025, 0.075, 0.175, 0.375, 0.775, 1.275, 1.775, 2.275, 2.775]],
  ])(
    'is marked when the store comes back in the lease, with a jitter of %d',
    async (jitter, tries) => {
      const memory = memoryStore({ now: Date.now })
      const { times, method: complete } = timed((key: string, token: string) =>
        Date.now() < 2500 ? down() : memory.complete(key, token),
      )
      const work = vi.fn()
      const handle = createDeliveryHandler(
        { any: work },
        { store: clocked({ ...memory, complete }), random: () => jitter, ...quiet },
      )
      const delivery = delivered()
      await expectRejection(handle(delivery), 503, 'store_unavailable')
      await expectRejection(handle(delivery), 503, 'delivery_in_progress')
      await pass(20)
      expect(await handle(delivery)).toBe('duplicate')
      expect(work).toHaveBeenCalledOnce()
      expect(times).toEqual(tries)
    },
  )

  test('is not asked about for longer than the lease', async () => {
    const { times, method: complete } = timed(down)
    const handle = createDeliveryHandler(
      { any: () => sleep(4000) },
      { store: clocked({ complete }), lease: 3, random: () => 1, ...quiet },
    )
    const rejected = expectRejection(handle(delivered()), 503, 'store_unavailable')
    await pass(100)
    await rejected
    // Extended at 1, 2 and 3 s, it ends at 6 s. A wait is at most a twentieth of the lease.
    const last = Array.from({ length: 12 }, (_, index) => (430 + index * 15) / 100)
    expect(times).toEqual([4, 4.05, 4.15, ...last])
  })
})

describe('a claim of which nobody knows', () => {
  test('is tried to be given back for as long as it lasts, for 100 deliveries at a time', async () => {
    const { times, method: release } = timed(down)
    const store = clocked({ claim: down, release })
    const handle = createDeliveryHandler(
      { any: vi.fn() },
      { store, lease: 2, random: () => 1, ...quiet },
    )
    const rejected = Array.from({ length: 150 }, () =>
      expectRejection(handle(delivered()), 503, 'store_unavailable'),
    )
    await Promise.all(rejected)
    await pass(100)
    const tries = (at: number) => times.filter((time) => time === at).length
    expect([0, 0.05, 0.15, 1.95].map(tries)).toEqual([150, 100, 100, 100])
    expect(Math.max(...times)).toBe(1.95)
    await expectRejection(handle(delivered()), 503, 'store_unavailable')
    await pass(0.05)
    expect(times.slice(-2)).toEqual([100, 100.05].map((time) => expect.closeTo(time)))
    expect(vi.getTimerCount()).toBe(1)
  })
})

describe('a timer', () => {
  test('is not made for a delivery that ends at once, on a store in memory', async () => {
    const timer = vi.spyOn(globalThis, 'setTimeout')
    const work = vi.fn(async () => {}).mockRejectedValueOnce(new Error('mine'))
    const handle = createDeliveryHandler({ any: work }, { store: clocked(), ...quiet })
    const delivery = delivered()
    await expect(handle(delivery)).rejects.toThrow('mine')
    expect(await handle(delivery)).toBe('completed')
    expect(await handle(delivery)).toBe('duplicate')
    expect(timer).not.toHaveBeenCalled()
  })

  test.each([
    ['a lease', () => clocked()],
    ['a transaction', () => transactionalStore()],
    ['no store', () => undefined],
  ])('is not left behind with %s', async (_, storeOf) => {
    const work = vi.fn().mockRejectedValueOnce(new Error('mine'))
    const store = storeOf() as DeliveryStore | undefined
    const handle = createDeliveryHandler({ any: work }, { store, timeout: 20, ...quiet })
    const settled = await Promise.allSettled([handle(delivered()), handle(delivered())])
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(vi.getTimerCount()).toBe(0)
  })

  test.each([
    ['the store', { claim: hanging }],
    ['the handler', {}],
  ])('that waits for %s keeps no process alive', async (_, replaced) => {
    vi.useRealTimers()
    const keeping = async () => {
      await new Promise(setImmediate)
      return process.getActiveResourcesInfo().filter((name) => name === 'Timeout')
    }
    const before = await keeping()
    const { promise, open } = gate()
    const options = { timeout: 0.05, storeTimeout: 0.05, ...quiet }
    const handle = createDeliveryHandler(
      { any: () => promise },
      { store: storeWith(replaced), ...options },
    )
    const rejected = expect(handle(delivered())).rejects.toThrow(WebhookError)
    // A timer of an earlier test may end meanwhile.
    expect((await keeping()).length).toBeLessThanOrEqual(before.length)
    await rejected
    open()
  })

  test('may be a number, as it is outside Node', async () => {
    vi.useRealTimers()
    const { setTimeout } = globalThis
    vi.stubGlobal('setTimeout', (...of: Parameters<typeof setTimeout>) => Number(setTimeout(...of)))
    const store = storeWith({ claim: hanging })
    const slow = createDeliveryHandler({ any: vi.fn() }, { store, storeTimeout: 0.01, ...quiet })
    await expectRejection(slow(delivered()), 503, 'store_unavailable')
    const handle = createDeliveryHandler({ any: vi.fn() }, { store: storeWith(), ...quiet })
    expect(await handle(delivered())).toBe('completed')
  })
})
