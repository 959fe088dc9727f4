import { runInNewContext } from 'node:vm'
import { type DeliveryStore, memoryStore, type Reason, WebhookError } from '@webhook-receiver/core'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { expectRejection } from '../deliveries.ts'
import {
  delivered,
  failOnUnhandled,
  gate,
  handling,
  hanging,
  sleep,
  storeWith,
  transactionalStore,
} from '../handling/stores.ts'

const forever = { timeout: Number.POSITIVE_INFINITY }

failOnUnhandled()

beforeEach(() => {
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
})

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)
const up = async () => true
const down = async () => {
  throw new Error('down')
}
const nothing = async () => undefined as never

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

/** Makes a handler with a memory store, some of whose methods are replaced. */
function running(
  work?: Parameters<typeof handling>[0],
  replaced: Partial<DeliveryStore> = {},
  options = {},
) {
  return handling(work, { store: clocked(replaced), ...options })
}

function clocked(replaced: Partial<DeliveryStore> = {}) {
  return storeWith({ ...memoryStore({ now: Date.now }), ...replaced })
}

/** The rejection of a delivery after so many seconds. */
async function rejectedIn(seconds: number, handle: ReturnType<typeof running>, reason: Reason) {
  const rejected = expectRejection(handle(delivered()), 503, reason)
  await pass(seconds)
  return await rejected
}

/** A delivery is completed after so many seconds. */
async function completedIn(seconds: number, handle: ReturnType<typeof running>) {
  const outcome = handle(delivered())
  await pass(seconds)
  expect(await outcome).toBe('completed')
}

/** A handler that works until its signal is aborted. It notes when and why that was, and throws the error if one is given. */
function untilAborted(error?: Error) {
  const reported: { at: number; reason: unknown }[] = []
  const work = (_: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => {
        reported.push({ at: Date.now() / 1000, reason: signal.reason })
        if (error) reject(error)
        else resolve()
      })
    })
  return { reported, work }
}

describe('a delivery', () => {
  test.each([
    ...[0.2, Number.NaN, 86_401, '5', undefined].map((seconds) => [seconds, '1']),
    [1.2, '2'],
    [86_400, '86400'],
  ])('that is being handled for %s s more comes again after %s', async (seconds, header) => {
    // What a store returns is looked at, whatever its types say.
    const claim = async () => ({ status: 'in_progress', retryAfter: seconds as number }) as const
    const error = await rejectedIn(0, running(undefined, { claim }), 'delivery_in_progress')
    expect(error.headers['Retry-After']).toBe(header)
  })

  test('has the error of its handler also where release hangs', async () => {
    const error = new Error('mine')
    const handle = running(() => Promise.reject(error), { release: hanging })
    const rejected = expect(handle(delivered())).rejects.toBe(error)
    await pass(2)
    await rejected
  })

  test('has a claim with a token that no other claim has, also of another handler', async () => {
    const claim = vi.fn<DeliveryStore['claim']>(() => ({ status: 'claimed' }))
    for (const endpoint of ['crm', 'shop']) {
      const handle = running(undefined, { claim, complete: up }, { endpoint, lease: 9 })
      for (const id of ['one', 'two']) await handle(delivered('message.sent', id))
    }
    const keys = ['crm:one', 'crm:two', 'shop:one', 'shop:two']
    expect(claim.mock.calls).toEqual(keys.map((key) => [key, expect.any(String), 9]))
    expect(new Set(claim.mock.calls.map(([, token]) => token)).size).toBe(4)
  })

  test('asks a store that hangs again, as long as a short lease lasts', async () => {
    const { times, method: complete } = timed(hanging)
    const handle = running(undefined, { complete }, { lease: 3 })
    await rejectedIn(10, handle, 'store_unavailable')
    expect(times.map(Math.floor)).toEqual([0, 1, 2])
  })
})

describe('a lease of 30 s', () => {
  test.each([
    ['is extended every 10 s while the handler runs, and no longer', up],
    ['survives a store that is away for less', () => (Date.now() < 29_000 ? down() : up())],
  ])('%s', async (_, result) => {
    const { times, method: extend } = timed(result)
    await completedIn(
      200,
      running(() => sleep(65_000), { extend }, forever),
    )
    expect(times).toEqual([10, 20, 30, 40, 50, 60])
  })

  test.each([
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
    const handle = running(work, { extend }, forever)
    const { detail } = await rejectedIn(100, handle, 'lease_lost')
    expect(detail).toContain('could not be reached')
    expect(detail).toContain('`lease` of 30 s')
    expect(reported.map(({ at }) => at)).toEqual([end])
    expect(times).toEqual(asked)
  })

  test.each([
    ['returns', undefined],
    ['throws', new Error('I stopped')],
  ])(
    'is lost if extending it returns false: the signal is aborted, and nothing is completed where the handler then %s',
    async (_, thrown) => {
      const store = clocked({ extend: async () => false })
      const { reported, work } = untilAborted(thrown)
      const handle = handling(work, { store, ...forever })
      const error = await rejectedIn(100, handle, 'lease_lost')
      expect(error.detail).toContain('another process has it')
      expect(error.cause).toBe(thrown)
      expect(reported).toEqual([{ at: 10, reason: expect.any(WebhookError) }])
      expect(store.asked).toEqual(['claim', 'extend'])
    },
  )

  test('is lost if extending it returns no boolean, and the detail says that', async () => {
    const { work } = untilAborted(undefined)
    const handle = handling(work, { store: clocked({ extend: nothing }), ...forever })
    const { detail } = await rejectedIn(100, handle, 'lease_lost')
    expect(detail).toContain('while the handler ran: the store returned neither true nor false')
  })

  test('that a store lost by itself is noticed at complete', async () => {
    const handle = running(undefined, { complete: async () => false })
    const { detail } = await rejectedIn(0, handle, 'lease_lost')
    expect(detail).toContain('it expired, was deleted, or another process has it')
  })

  test('is extended at once after a handler has blocked the event loop', async () => {
    const { times, method: extend } = timed(up)
    const { now } = performance
    const work = () => {
      vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 25_000)
      return sleep(6000)
    }
    await completedIn(6, running(work, { extend }, forever))
    expect(times).toEqual([0])
  })

  test('does not run out where the clock of the machine is set', async () => {
    const extend = vi.fn(up).mockRejectedValueOnce(new Error('down'))
    const work = () => {
      vi.setSystemTime(3_600_000)
      return sleep(35_000)
    }
    await completedIn(35, running(work, { extend }, forever))
    expect(extend).toHaveBeenCalledTimes(3)
  })

  test.each([
    ['that it was lost', async () => false],
    ['with an error', down],
  ])('whose handler is done does not care where an extension resolves %s', async (_, result) => {
    const late = gate()
    const { times, method: extend } = timed(() => late.promise.then(result))
    const { reported, work } = untilAborted()
    const handle = running((...given) => Promise.race([work(...given), sleep(11_000)]), { extend })
    await completedIn(11, handle)
    late.open()
    await pass(100)
    expect([reported, times]).toEqual([[], [10]])
  })
})

describe('a handler that takes too long', () => {
  test('gets 503 after 25 s, goes on, keeps its claim, and is done at last', async () => {
    const work = vi.fn(() => sleep(100_000))
    const handle = running(work)
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

  test.each<[string, () => object | undefined, string[]?]>([
    ['a store', clocked, ['claim', 'release']],
    ['a transaction', transactionalStore],
    ['no store', () => undefined],
  ])('and fails at last is logged, with %s, without its properties', async (_, create, asked) => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const { promise, fail } = gate()
    const store = create()
    const handle = handling(() => promise, { store, timeout: 5 })
    await rejectedIn(5, handle, 'handler_timeout')
    fail(Object.assign(new Error('at last'), { detail: 'MARK' }))
    await pass(0)
    expect(log.mock.calls).toEqual([
      [
        expect.stringMatching(
          /503 was sent before the handler failed message\.received [\w-]+: Error: at last\n/,
        ),
      ],
    ])
    expect(String(log.mock.calls)).not.toContain('MARK')
    expect(Object(store).asked).toEqual(asked)
  })

  test.each([
    ['with a store', 0.0212345, { store: memoryStore() }, '0.0212'],
    ['with a transaction', 0.0212345, { store: transactionalStore() }, '0.0212'],
    ['by `timeout`, where that is less', 600, { store: memoryStore(), timeout: 20 }, '20'],
  ])('gets 503 when the time that is left is up, %s', async (_, timeLeft, options, seconds) => {
    const work = vi.fn(hanging)
    const handle = handling(work, options)
    const rejected = expectRejection(handle(delivered(), { timeLeft }), 503, 'handler_timeout')
    await pass(20)
    expect((await rejected).detail).toContain(`still runs after ${seconds} s`)
    expect(work).toHaveBeenCalledOnce()
  })

  test('is waited for where there is no store, since nothing would tell the next copy', async () => {
    await completedIn(
      3600,
      handling(() => sleep(3_600_000)),
    )
  })
})

describe('a delivery that could not be marked as done', () => {
  const cause = new Error('ECONNREFUSED')

  test.each([
    ['rejects', () => Promise.reject(cause), 'failed: ECONNREFUSED'],
    ['hangs', hanging, 'did not respond within 2 s'],
    ['returns no boolean', nothing, 'returned neither true nor false'],
  ])(
    'gets 503 where the store %s, and says what may have happened',
    async (_, complete, detail) => {
      const handle = running(undefined, { complete })
      const error = await rejectedIn(100, handle, 'store_unavailable')
      expect(error.detail).toContain(detail)
      expect(error.detail).toContain('a copy may run after the end of the lease')
      if (detail.includes('ECONN')) expect(error.cause).toBe(cause)
    },
  )

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
      vi.spyOn(Math, 'random').mockReturnValue(jitter)
      const work = vi.fn()
      const handle = running(work, { ...memory, complete })
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
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const { times, method: complete } = timed(down)
    const handle = running(() => sleep(4000), { complete }, { lease: 3 })
    await rejectedIn(100, handle, 'store_unavailable')
    // Extended at 1, 2 and 3 s, it ends at 6 s. A wait is at most a twentieth of the lease.
    const last = Array.from({ length: 12 }, (_, index) => (430 + index * 15) / 100)
    expect(times).toEqual([4, 4.05, 4.15, ...last])
  })
})

function fail(): never {
  throw new Error('looked at')
}

/** An error of PostgreSQL, in an error with this code. */
function wrapped(message: string, code: string | number) {
  const cause = Object.assign(new Error('no such relation'), { code: '42P01' })
  return Object.assign(new Error(message, { cause }), { code })
}

/** A client error, as the SDK of AWS has it. */
function ofAws(message: string, name = 'ResourceNotFoundException') {
  return Object.assign(new Error(message), { name, $fault: 'client' })
}

describe('a store that', () => {
  const STATEMENT = 'The database rejects what the store asks: see the cause.'

  test.each([
    ['no error', 'not an Error'],
    [new Proxy({}, { get: fail, getPrototypeOf: fail }), 'threw an object that cannot be read'],
    [new Error('The table is gone.'), 'failed: The table is gone. The handler'],
    [new RangeError(), 'failed: RangeError. '],
    // Of another realm, as those of Node are in Jest.
    [runInNewContext("new Error('connect ECONNREFUSED')"), 'failed: connect ECONNREFUSED. The'],
    // An ORM, and a store whose error says what to do.
    [wrapped('Failed query', 1), 'failed: no such relation (42P01). The handler'],
    [wrapped('Call migrate', '42P01'), 'failed: Call migrate (42P01). The handler'],
    [wrapped('sorry, too many clients already', '53300'), 'Make the pools smaller'],
    [wrapped('could not extend file: No space left on device', '53100'), STATEMENT],
    [wrapped('canceling statement due to statement timeout', '57014'), STATEMENT],
    [wrapped('terminating connection', '57P01'), 'Is the database up'],
    [new Error('OOM command not allowed'), STATEMENT],
    [new Error('LOADING the dataset'), STATEMENT],
    [new Error("READONLY You can't write"), STATEMENT],
    [new Error('MOVED 9663 10.0.0.7:6379'), STATEMENT],
    [new Error('ECONNRESET read'), 'Is the database up'],
    [new Error('TLS handshake timeout'), 'Is the database up'],
    [new Error('WRONGPASS invalid username-password pair'), STATEMENT],
    [Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' }), STATEMENT],
    [Object.assign(new Error('disk full'), { code: 'ERR_SQLITE_ERROR' }), STATEMENT],
    [Object.assign(new Error('no file'), { code: 'SQLITE_CANTOPEN' }), 'Is the database up'],
    [ofAws('Requested resource not found'), STATEMENT],
    [ofAws('Not found'), 'failed: Not found (ResourceNotFoundException). The handler'],
    [ofAws('Rate exceeded', 'ThrottlingException'), 'Is the database up'],
  ])('rejects is 503, with what helps: %#', async (thrown, detail) => {
    const handle = running(undefined, { claim: () => Promise.reject(thrown) })
    const error = await rejectedIn(2, handle, 'store_unavailable')
    expect(error.detail).toContain(detail)
  })

  test.each([
    ['rejects', down, 'failed: down'],
    ['hangs', hanging, 'did not respond within 2 s'],
    ['returns nonsense', async () => ({ status: 'ok' }) as never, 'not a claim'],
  ])('%s at claim is 503 within its time, and nothing runs', async (_, claim, detail) => {
    const work = vi.fn()
    const error = await rejectedIn(2, running(work, { claim }), 'store_unavailable')
    expect(error.detail).toContain(detail)
    expect(error.detail).toContain('did not run. If the claim was made')
    expect(error.detail).toContain('up to 30 s')
    expect(error.headers).toEqual({ 'Retry-After': '10' })
    if (claim === down) expect(error.cause).toEqual(new Error('down'))
    const advice = detail === 'not a claim' ? 'Correct the store' : 'Is the database up'
    expect(error.detail).toContain(advice)
    expect(work).not.toHaveBeenCalled()
  })

  test.each([
    ['rejects', 0, down],
    ['never comes', 0, hanging],
    ['is not a claim', 0, nothing],
    ['is a claim', 3, async () => ({ status: 'claimed' }) as const],
    ['rejects', 3, down],
  ])(
    'claims, but whose response %s, after %d s, gets its claim back for the next copy',
    async (_, late, result) => {
      const kept = memoryStore({ now: Date.now })
      const claim = vi.fn(kept.claim).mockImplementationOnce(async (...asked) => {
        if (late > 0) await sleep(late * 1000)
        await kept.claim(...asked)
        return result()
      })
      const work = vi.fn()
      const handle = running(work, { ...kept, claim })
      const delivery = delivered()
      const rejected = expectRejection(handle(delivery), 503, 'store_unavailable')
      await pass(5)
      await rejected
      expect(work).not.toHaveBeenCalled()
      expect(await handle(delivery)).toBe('completed')
    },
  )

  test('returns too late that a delivery is done is asked for nothing more', async () => {
    const store = clocked({ claim: () => sleep(3000).then(() => ({ status: 'done' })) })
    await rejectedIn(100, handling(undefined, { store }), 'store_unavailable')
    expect(store.asked).toEqual(['claim'])
  })

  test('cannot release at first gets the claim of a handler that failed back later', async () => {
    const kept = memoryStore({ now: Date.now })
    const release = vi.fn(kept.release).mockImplementationOnce(down).mockImplementationOnce(hanging)
    const handle = running(vi.fn().mockRejectedValueOnce(new Error('mine')), { ...kept, release })
    const delivery = delivered()
    await expect(handle(delivery)).rejects.toThrow('mine')
    await expectRejection(handle(delivery), 503, 'delivery_in_progress')
    await pass(10)
    expect(release).toHaveBeenCalledTimes(3)
    expect(await handle(delivery)).toBe('completed')
  })

  test.each([
    ['complete', undefined],
    ['release', vi.fn().mockRejectedValueOnce(new Error('mine'))],
  ] as const)(
    'returns an object whose `then` throws for %s is asked again',
    async (method, work) => {
      const kept = memoryStore({ now: Date.now })
      const results: unknown[] = [
        Object.defineProperty({}, 'then', { get: () => expect.unreachable() }),
      ]
      const store = {
        [method]: (...asked: [string, string]) => results.pop() ?? kept[method](...asked),
      }
      const handle = running(work, { ...kept, ...store })
      const delivery = delivered()
      await expect(handle(delivery)).rejects.toThrow()
      await pass(1)
      expect(await handle(delivery)).toBe(method === 'complete' ? 'duplicate' : 'completed')
    },
  )

  test('is down is asked to release for as long as the lease lasts, for 100 deliveries at a time', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const { times, method: release } = timed(down)
    const store = clocked({ claim: down, release })
    const handle = handling(undefined, { store, lease: 2 })
    const rejected = Array.from({ length: 150 }, () =>
      expectRejection(handle(delivered()), 503, 'store_unavailable'),
    )
    await Promise.all(rejected)
    await pass(100)
    const tries = (at: number) => times.filter((time) => time === at).length
    expect([0, 0.05, 0.15, 1.95].map(tries)).toEqual([150, 100, 100, 100])
    expect(Math.max(...times)).toBe(1.95)
    await rejectedIn(0.05, handle, 'store_unavailable')
    expect(times.slice(-2)).toEqual([100, 100.05].map((time) => expect.closeTo(time)))
    expect(vi.getTimerCount()).toBe(1)
  })

  test.each([
    "Stream isn't writeable and enableOfflineQueue options is false",
    'The client is offline',
  ])('has no connection is not connected yet, until it has responded: %s', async (message) => {
    const claim = vi.fn<DeliveryStore['claim']>(() => Promise.reject(new Error(message)))
    const handle = running(undefined, { claim })
    const detail = async () => (await rejectedIn(0, handle, 'store_unavailable')).detail
    expect(await detail()).toContain('connected yet: see its errors, or let commands wait, as in')
    claim.mockResolvedValueOnce({ status: 'done' })
    expect(await handle(delivered())).toBe('duplicate')
    expect(await detail()).toContain('Is the database up, and can this machine reach it?')
  })
})

describe('onRejected', () => {
  test('receives a rejection without the body', async () => {
    const onRejected = vi.fn()
    const claim = async () => ({ status: 'in_progress', retryAfter: 3 }) as const
    const handle = running(undefined, { claim }, { onRejected, now: () => 5 })
    const delivery = delivered()
    await expectRejection(handle(delivery), 503, 'delivery_in_progress')
    const { id, event, created_at } = delivery
    const facts = { at: 5, reason: 'delivery_in_progress', status: 503, id, event, remote: {} }
    expect(onRejected.mock.calls).toMatchObject([
      [{ ...facts, signatureValid: true, proven: true, secrets: [] }],
    ])
    expect(JSON.stringify(onRejected.mock.calls)).not.toContain(created_at)
  })

  test('is not called for an error of a handler', async () => {
    const onRejected = vi.fn()
    const mine = new WebhookError('delivery_missing', 'by the application')
    const handle = running(() => Promise.reject(mine), {}, { onRejected })
    await expectRejection(handle(delivered()), 500, 'delivery_missing')
    expect(onRejected).not.toHaveBeenCalled()
  })
})

describe('a timer', () => {
  test('is not left behind with a transaction', async () => {
    const work = vi.fn().mockRejectedValueOnce(new Error('mine'))
    const handle = handling(work, { store: transactionalStore(), timeout: 20 })
    const settled = await Promise.allSettled([handle(delivered()), handle(delivered())])
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(vi.getTimerCount()).toBe(0)
  })

  test.each([
    ['without a store', {}],
    ['under a lease', { store: memoryStore() }],
  ])(
    'is not made %s by a handler that settles at once, whose failure is its own',
    async (_, options) => {
      vi.useRealTimers()
      const timers = vi.spyOn(globalThis, 'setTimeout')
      const mine = new Error('mine')
      const any = vi.fn(async () => {}).mockRejectedValueOnce(mine)
      const handle = handling(any, { ...options, timeout: 20, abandonAfter: 40 })
      await expect(handle(delivered())).rejects.toBe(mine)
      expect(await handle(delivered())).toBe('completed')
      expect(timers).not.toHaveBeenCalled()
    },
  )

  test.each([
    ['the store', { claim: hanging }],
    ['the handler', {}],
  ])('that waits for %s keeps no process alive', async (_, replaced) => {
    vi.useRealTimers()
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const { promise, open } = gate()
    const handle = running(() => promise, replaced, { timeout: 0.01, storeTimeout: 0.01 })
    await expect(handle(delivered())).rejects.toThrow(WebhookError)
    expect(timers).toHaveBeenCalled()
    for (const { value } of timers.mock.results) expect(value.hasRef()).toBe(false)
    open()
  })

  test('may be a number, as it is outside Node', async () => {
    vi.useRealTimers()
    const { setTimeout } = globalThis
    vi.stubGlobal('setTimeout', (...of: Parameters<typeof setTimeout>) => Number(setTimeout(...of)))
    const slow = running(undefined, { claim: hanging }, { storeTimeout: 0.01 })
    await expectRejection(slow(delivered()), 503, 'store_unavailable')
    expect(await running()(delivered())).toBe('completed')
  })
})
