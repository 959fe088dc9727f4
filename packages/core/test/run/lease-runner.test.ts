import {
  type Claim,
  createDeliveryHandler,
  type HandlingOptions,
  memoryStore,
  WebhookError,
} from '@webhook-receiver/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { expectRejection } from '../deliveries.ts'
import {
  delivered,
  eventually,
  failOnUnhandled,
  gate,
  hanging,
  sleep,
  storeWith,
  transactionalStore,
} from '../handling/stores.ts'

const quiet = { onRejected: false } satisfies HandlingOptions

failOnUnhandled()

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a delivery', () => {
  test('is claimed, run, completed, and only then acknowledged', async () => {
    const store = storeWith()
    const handle = createDeliveryHandler({ any: () => store.asked.push('run') }, { store })
    expect(await handle(delivered())).toBe('completed')
    expect(store.asked).toEqual(['claim', 'run', 'complete'])
  })

  test('that was handled is acknowledged, and nothing runs', async () => {
    const work = vi.fn()
    const handle = createDeliveryHandler({ any: work }, { store: memoryStore() })
    const delivery = delivered()
    expect(await handle(delivery)).toBe('completed')
    expect(await handle(delivery)).toBe('duplicate')
    expect(work).toHaveBeenCalledOnce()
  })

  test('that is being handled gets 503 with the seconds that are left', async () => {
    const { promise, open } = gate()
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const handle = createDeliveryHandler({ any: () => promise }, { store: memoryStore(), lease: 7 })
    const delivery = delivered()
    const first = handle(delivery)
    const error = await expectRejection(handle(delivery), 503, 'delivery_in_progress')
    expect(error.headers).toEqual({ 'Retry-After': '7' })
    open()
    expect(await first).toBe('completed')
    expect(log).not.toHaveBeenCalled()
  })

  test.each([
    [0.2, '1'],
    [0, '1'],
    [1, '1'],
    [-3, '1'],
    [Number.NaN, '1'],
    [Number.POSITIVE_INFINITY, '1'],
    [1.2, '2'],
    [30, '30'],
    [86_400, '86400'],
    [86_401, '1'],
    [5n, '1'],
    ['5', '1'],
    [Symbol('5'), '1'],
    [undefined, '1'],
  ])('that is being handled for %s s more comes again after %s', async (seconds, header) => {
    // What a store returns is looked at, whatever its types say.
    const retryAfter = seconds as number
    const store = storeWith({ claim: async () => ({ status: 'in_progress', retryAfter }) })
    const handle = createDeliveryHandler({ any: vi.fn() }, { store, ...quiet })
    const error = await expectRejection(handle(delivered()), 503, 'delivery_in_progress')
    expect(error.headers['Retry-After']).toBe(header)
  })

  test('sent 20 times at once, for 1,000 ids, is run once for each', async () => {
    const work = vi.fn(() => sleep(1))
    const handle = createDeliveryHandler({ any: work }, { store: memoryStore(), ...quiet })
    const deliveries = Array.from({ length: 1000 }, () => delivered())
    const copies = deliveries.flatMap((delivery) => Array.from({ length: 20 }, () => delivery))
    await Promise.allSettled(copies.map((delivery) => handle(delivery)))
    expect(work).toHaveBeenCalledTimes(1000)
    expect(await Promise.all(deliveries.map((delivery) => handle(delivery)))).toEqual(
      Array(1000).fill('duplicate'),
    )
  })
})

describe('a handler that throws', () => {
  test('releases the claim, and its own error travels', async () => {
    const store = storeWith()
    const error = new Error('the database is down')
    const work = vi.fn().mockRejectedValueOnce(error)
    const handle = createDeliveryHandler({ any: work }, { store })
    const delivery = delivered()
    await expect(handle(delivery)).rejects.toBe(error)
    expect(store.asked).toEqual(['claim', 'release'])
    expect(await handle(delivery)).toBe('completed')
  })

  test.each([
    ['rejects', () => Promise.reject(new Error('down'))],
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
    ['hangs', hanging],
  ])('travels its own error also where release %s', async (_what, release) => {
    const error = new Error('mine')
    const handle = createDeliveryHandler(
      { any: () => Promise.reject(error) },
      { store: storeWith({ release }), storeTimeout: 0.05 },
    )
    await expect(handle(delivered())).rejects.toBe(error)
  })
})

describe('a lease', () => {
  test('that a store lost by itself is noticed at complete', async () => {
    const store = storeWith({ complete: async () => false })
    const handle = createDeliveryHandler({ any: vi.fn() }, { store, ...quiet })
    const error = await expectRejection(handle(delivered()), 503, 'lease_lost')
    expect(error.detail).toContain('another process had the claim')
  })

  test('is taken by another process when the event loop was blocked', async () => {
    const store = memoryStore()
    const other = createDeliveryHandler({ any: vi.fn() }, { store, ...quiet })
    const delivery = delivered()
    const handle = createDeliveryHandler(
      {
        any: async () => {
          const end = performance.now() + 120
          while (performance.now() < end);
          await other(delivery)
        },
      },
      { store, lease: 0.05, ...quiet },
    )
    await expectRejection(handle(delivery), 503, 'lease_lost')
    expect(await other(delivery)).toBe('duplicate')
  })
})

function fail(): never {
  throw new Error('looked at')
}

describe('a store that', () => {
  test.each([
    ['rejects', () => Promise.reject(new Error('ECONNREFUSED')), 'failed: ECONNREFUSED'],
    ['rejects with no error', () => Promise.reject('x'), 'not an Error'],
    [
      'rejects with what throws when it is looked at',
      () => Promise.reject(new Proxy({}, { get: fail, getPrototypeOf: fail })),
      'failed: The store threw an object that cannot be read',
    ],
    [
      'throws',
      () => {
        throw new Error('closed')
      },
      'failed: closed',
    ],
    [
      'throws a sentence',
      () => {
        throw new Error('The table is gone.')
      },
      'failed: The table is gone. The handler',
    ],
    ['hangs', hanging, 'did not respond within 0.05 s'],
    ['returns undefined', async () => undefined as never, 'not a claim'],
    ['returns nonsense', async () => ({ status: 'ok' }) as never, 'not a claim'],
  ])('%s at claim is 503 within its time, and nothing runs', async (_what, claim, detail) => {
    const work = vi.fn()
    const handle = createDeliveryHandler(
      { any: work },
      { store: storeWith({ claim }), storeTimeout: 0.05, ...quiet },
    )
    const error = await expectRejection(handle(delivered()), 503, 'store_unavailable')
    expect(error.detail).toContain(detail)
    expect(error.detail).toContain('did not run. It is not known whether the store made the claim')
    expect(error.detail).toContain('up to 30 s')
    expect(error.headers).toEqual({ 'Retry-After': '10' })
    expect(work).not.toHaveBeenCalled()
  })

  test('claims too late gets its claim back', async () => {
    const { promise, open } = gate<Claim>()
    const store = storeWith({ claim: () => promise })
    const work = vi.fn()
    const handle = createDeliveryHandler({ any: work }, { store, storeTimeout: 0.02, ...quiet })
    await expectRejection(handle(delivered()), 503, 'store_unavailable')
    await eventually(() => store.asked.includes('release'))
    open({ status: 'claimed' })
    await eventually(() => store.asked.length === 3)
    expect(store.asked).toEqual(['claim', 'release', 'release'])
    expect(work).not.toHaveBeenCalled()
  })

  test.each<Claim>([{ status: 'done' }, { status: 'in_progress', retryAfter: 3 }])(
    'returns $status too late is asked for nothing more',
    async (claim) => {
      const { promise, open } = gate<Claim>()
      const store = storeWith({ claim: () => promise })
      const handle = createDeliveryHandler(
        { any: vi.fn() },
        { store, storeTimeout: 0.02, ...quiet },
      )
      await expectRejection(handle(delivered()), 503, 'store_unavailable')
      await eventually(() => store.asked.includes('release'))
      open(claim)
      await sleep(5)
      expect(store.asked).toEqual(['claim', 'release'])
    },
  )

  test.each([
    ['rejects', () => Promise.reject(new Error('ECONNRESET'))],
    ['never comes', hanging],
    ['is not a claim', async () => undefined as never],
  ])(
    'claims, but whose response %s, gets its claim back for the next copy',
    async (_what, result) => {
      const kept = memoryStore()
      const claim = vi.fn(kept.claim).mockImplementationOnce(async (...asked) => {
        await kept.claim(...asked)
        return result()
      })
      const work = vi.fn()
      const handle = createDeliveryHandler(
        { any: work },
        { store: storeWith({ ...kept, claim }), storeTimeout: 0.05, ...quiet },
      )
      const delivery = delivered()
      await expectRejection(handle(delivery), 503, 'store_unavailable')
      await sleep(5)
      expect(await handle(delivery)).toBe('completed')
      expect(work).toHaveBeenCalledOnce()
    },
  )

  test.each([
    ['fails', () => Promise.reject(new Error('ECONNRESET'))],
    ['is not a claim', async () => undefined as never],
  ])('claims too late, and whose response then %s, gets its claim back', async (_what, result) => {
    const kept = memoryStore()
    const { promise, open } = gate()
    const claim = vi.fn(kept.claim).mockImplementationOnce(async (...asked) => {
      await promise
      await kept.claim(...asked)
      return result()
    })
    const store = storeWith({ ...kept, claim })
    const handle = createDeliveryHandler({ any: vi.fn() }, { store, storeTimeout: 0.02, ...quiet })
    const delivery = delivered()
    await expectRejection(handle(delivery), 503, 'store_unavailable')
    open()
    await eventually(() => store.asked.length === 3)
    expect(await handle(delivery)).toBe('completed')
  })

  test.each([
    ['claim', () => Promise.reject(new Error('ECONNRESET')), vi.fn()],
    ['handler', undefined, vi.fn().mockRejectedValueOnce(new Error('mine'))],
  ])(
    'cannot release at first gets the claim of a failed %s back later',
    async (_what, lost, work) => {
      const kept = memoryStore()
      const claim = vi.fn(kept.claim)
      if (lost) {
        claim.mockImplementationOnce(async (...asked) => {
          await kept.claim(...asked)
          return lost()
        })
      }
      const release = vi
        .fn(kept.release)
        .mockRejectedValueOnce(new Error('down'))
        .mockImplementationOnce(hanging)
      const handle = createDeliveryHandler(
        { any: work },
        { store: storeWith({ ...kept, claim, release }), storeTimeout: 0.05, ...quiet },
      )
      const delivery = delivered()
      await expect(handle(delivery)).rejects.toThrow()
      await expectRejection(handle(delivery), 503, 'delivery_in_progress')
      await eventually(() => release.mock.calls.length === 3)
      expect(await handle(delivery)).toBe('completed')
    },
  )

  test.each([['claim'], ['complete']] as const)(
    'rejects at %s is the cause of the rejection',
    async (method) => {
      const cause = new Error('ECONNREFUSED')
      const store = storeWith({ [method]: () => Promise.reject(cause) })
      const handle = createDeliveryHandler({ any: vi.fn() }, { store, lease: 0.1, ...quiet })
      const error = await expectRejection(handle(delivered()), 503, 'store_unavailable')
      expect(error.cause).toBe(cause)
    },
  )

  test('fails late after it was given up leaves nothing unhandled', async () => {
    const { promise, fail } = gate<Claim>()
    const handle = createDeliveryHandler(
      { any: vi.fn() },
      { store: storeWith({ claim: () => promise }), storeTimeout: 0.02, ...quiet },
    )
    await expectRejection(handle(delivered()), 503, 'store_unavailable')
    fail(new Error('late'))
  })

  test.each([
    ['rejects', () => Promise.reject(new Error('down')), 'failed: down'],
    ['hangs', hanging, 'did not respond within 0.05 s'],
  ])('%s at complete is 503, with the effect told', async (_what, complete, detail) => {
    const handle = createDeliveryHandler(
      { any: vi.fn() },
      { store: storeWith({ complete }), storeTimeout: 0.05, lease: 0.2, ...quiet },
    )
    const error = await expectRejection(handle(delivered()), 503, 'store_unavailable')
    expect(error.detail).toContain(detail)
    expect(error.detail).toContain('may not have marked the delivery as done')
  })
})

describe('a handler that takes too long', () => {
  test('and fails at last is told on standard error, and its claim is released', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const { promise, fail } = gate()
    const store = storeWith()
    const handle = createDeliveryHandler({ any: () => promise }, { store, timeout: 0.02, ...quiet })
    await expectRejection(handle(delivered()), 503, 'handler_timeout')
    fail(Object.assign(new Error('at last'), { detail: 'MARK' }))
    await eventually(() => log.mock.calls.length > 0)
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/failed after the time limit.* Error: at last\n/)],
    ])
    expect(String(log.mock.calls)).not.toContain('MARK')
    expect(store.asked).toEqual(['claim', 'release'])
  })

  test('and loses its lease then is told to the hook', async () => {
    const onRejected = vi.fn()
    const work = async (_: unknown, { signal }: { signal: AbortSignal }) =>
      eventually(() => signal.aborted)
    const store = storeWith({ extend: async () => false })
    const handle = createDeliveryHandler(
      { any: work },
      { store, timeout: 0.02, lease: 0.15, onRejected },
    )
    await expectRejection(handle(delivered()), 503, 'handler_timeout')
    await eventually(() => onRejected.mock.calls.length === 2)
    expect(onRejected.mock.calls.map(([{ reason }]) => reason)).toEqual([
      'handler_timeout',
      'lease_lost',
    ])
  })

  test.each([
    ['with a store', () => ({ store: storeWith() })],
    ['with a transaction', () => ({ store: transactionalStore() })],
    ['without a store', () => ({})],
  ])('gets 503 when the time that is left is up, %s', async (_name, options) => {
    const work = vi.fn(() => new Promise(() => {}))
    const handle = createDeliveryHandler({ any: work }, { ...options(), ...quiet })
    const error = await expectRejection(
      handle(delivered(), { timeLeft: 0.0212345 }),
      503,
      'handler_timeout',
    )
    expect(error.detail).toContain('had not finished after 0.0212 s')
    expect(work).toHaveBeenCalledOnce()
  })

  test('gets 503 by the option timeout where more time is left', async () => {
    const options = { store: storeWith(), timeout: 0.02, ...quiet }
    const handle = createDeliveryHandler({ any: () => new Promise(() => {}) }, options)
    const error = await expectRejection(
      handle(delivered(), { timeLeft: 600 }),
      503,
      'handler_timeout',
    )
    expect(error.detail).toContain('had not finished after 0.02 s')
  })

  test('without a store gets 503 only where that is asked for', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const { promise, fail } = gate()
    const handle = createDeliveryHandler({ any: () => promise }, { timeout: 0.02, ...quiet })
    await expectRejection(handle(delivered()), 503, 'handler_timeout')
    fail(new Error('at last'))
    await eventually(() => log.mock.calls.length > 0)
  })
})

describe('the operator', () => {
  test('is told on standard error, once per reason and minute', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const store = storeWith({ claim: () => Promise.reject(new Error('ECONNREFUSED')) })
    const handle = createDeliveryHandler({ any: vi.fn() }, { store })
    await Promise.allSettled([handle(delivered()), handle(delivered())])
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/^\[webhook-receiver\] 503 store_unavailable: .*ECONNREFUSED/)],
    ])
  })

  test('is told by the hook of all four, without the body', async () => {
    const onRejected = vi.fn()
    const store = storeWith({ claim: async () => ({ status: 'in_progress', retryAfter: 3 }) })
    const handle = createDeliveryHandler({ any: vi.fn() }, { store, onRejected, now: () => 5 })
    const delivery = delivered()
    await expectRejection(handle(delivery), 503, 'delivery_in_progress')
    expect(onRejected.mock.calls).toMatchObject([
      [
        {
          ...{ at: 5, reason: 'delivery_in_progress', status: 503, signatureValid: true },
          ...{ remote: {}, secrets: [] },
        },
      ],
    ])
    expect(JSON.stringify(onRejected.mock.calls)).not.toContain(delivery.id)
  })

  test('prints the name of a hook that throws, and does not change the response', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const onRejected = () => {
      throw new Error('of the hook')
    }
    const store = storeWith({ claim: async () => ({ status: 'in_progress', retryAfter: 3 }) })
    const handle = createDeliveryHandler({ any: vi.fn() }, { store, onRejected })
    await expectRejection(handle(delivered()), 503, 'delivery_in_progress')
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/onRejected threw.* Error: of the hook\n/)],
    ])
  })

  test('is not called for an error of a handler', async () => {
    const onRejected = vi.fn()
    const handle = createDeliveryHandler(
      {
        any: () => {
          throw new WebhookError('delivery_missing', 'by the application')
        },
      },
      { store: memoryStore(), onRejected },
    )
    await expectRejection(handle(delivered()), 500, 'delivery_missing')
    expect(onRejected).not.toHaveBeenCalled()
  })
})

test('each claim has a token of its own, from the option', async () => {
  const tokens: string[] = []
  const kept = memoryStore()
  const store = storeWith({
    claim: (key, token, lease) => {
      tokens.push(`${key} ${token} ${lease}`)
      return kept.claim(key, token, lease)
    },
    complete: kept.complete,
  })
  let count = 0
  const handle = createDeliveryHandler(
    { any: vi.fn() },
    { store, endpoint: 'crm', lease: 9, randomToken: () => `t${++count}` },
  )
  await handle(delivered('message.sent', 'one'))
  await handle(delivered('message.sent', 'two'))
  expect(tokens).toEqual(['crm:one t1 9', 'crm:two t2 9'])
})

test('without the option, no two claims have the same token, also of two handlers', async () => {
  const tokens: string[] = []
  const store = storeWith({
    claim: (_key, token) => {
      tokens.push(token)
      return { status: 'claimed' }
    },
    complete: () => true,
  })
  for (const endpoint of ['crm', 'shop']) {
    const handle = createDeliveryHandler({ any: vi.fn() }, { store, endpoint })
    await handle(delivered())
    await handle(delivered())
  }
  expect(new Set(tokens).size).toBe(4)
})
