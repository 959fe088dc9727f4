import {
  createDeliveryHandler,
  type HandlingOptions,
  memoryStore,
  WebhookError,
  webhookHandler,
} from '@webhook-receiver/core'
import { signedRequest } from '@webhook-receiver/core/testing'
import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { expectRejection } from '../deliveries.ts'
import {
  delivered,
  failOnUnhandled,
  gate,
  hanging,
  storeWith,
  transactionalStore,
} from '../handling/stores.ts'

failOnUnhandled()

/** A time that a timestamp can have. */
const START = 1_700_000_000_000

let log: MockInstance<typeof console.error>

beforeEach(() => {
  vi.useFakeTimers({ now: START, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  log = vi.spyOn(console, 'error').mockReturnValue()
})

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)
const leases = () => storeWith(memoryStore({ now: () => Date.now() }))

/** The lines on standard error that say that a handler was abandoned. */
const abandonments = () => log.mock.calls.filter(([line]) => line.includes('handler_abandoned'))

/** A handler whose first run does not end before the gate opens, and which keeps the signals that it got. */
function hangingOnce() {
  const late = gate()
  const signals: AbortSignal[] = []
  const work = vi.fn((_delivery: unknown, { signal }: { signal: AbortSignal }) => {
    signals.push(signal)
    return signals.length === 1 ? late.promise : undefined
  })
  return { signals, work, late }
}

const expectAbandoned = (signal: AbortSignal | undefined, seconds: number) => {
  expect(signal?.reason).toBeInstanceOf(WebhookError)
  expect(signal?.reason).toMatchObject({ status: 503, reason: 'handler_abandoned' })
  expect(signal?.reason.detail).toContain(`still ran after ${seconds} s`)
}

describe('a handler that never ends is abandoned after `abandonAfter`:', () => {
  test('its lease is extended no longer, and the next copy runs', async () => {
    const { signals, work, late } = hangingOnce()
    const store = leases()
    const handle = createDeliveryHandler({ any: work }, { store, timeout: 10, abandonAfter: 105 })
    const delivery = delivered()
    const first = expectRejection(handle(delivery), 503, 'handler_timeout')
    await pass(104)
    await first
    await expectRejection(handle(delivery), 503, 'delivery_in_progress')
    expect(signals[0]?.aborted).toBe(false)
    expect(abandonments()).toEqual([])

    await pass(1)
    expectAbandoned(signals[0], 105)
    expect(abandonments()).toHaveLength(1)
    // The handler has the rest of its lease to stop.
    const copy = await expectRejection(handle(delivery), 503, 'delivery_in_progress')
    expect(copy.headers).toEqual({ 'Retry-After': '25' })
    await pass(25)
    expect(await handle(delivery)).toBe('completed')
    expect(signals[1]?.aborted).toBe(false)

    const asked = [...store.asked]
    late.open()
    await pass(1000)
    expect(store.asked).toEqual(asked)
    expect(await handle(delivery)).toBe('duplicate')
    expect(work).toHaveBeenCalledTimes(2)
    expect(abandonments()).toHaveLength(1)
  })

  test.each(['throws', 'returns'] as const)(
    'one that %s because of its signal does not complete its claim',
    async (how) => {
      const work = vi.fn().mockImplementationOnce(
        (_delivery, { signal }: { signal: AbortSignal }) =>
          new Promise<void>((resolve, reject) => {
            const stop = () => (how === 'throws' ? reject(signal.reason) : resolve())
            signal.addEventListener('abort', stop)
          }),
      )
      const store = leases()
      const handle = createDeliveryHandler({ any: work }, { store, abandonAfter: 25 })
      const delivery = delivered()
      const first = expectRejection(handle(delivery), 503, 'handler_abandoned')
      await pass(25)
      await first
      expect(store.asked).not.toContain('complete')
      expect(store.asked).not.toContain('release')
      await pass(30)
      expect(await handle(delivery)).toBe('completed')
      expect(log).toHaveBeenCalledOnce()
      expect(abandonments()).toHaveLength(1)
    },
  )

  test('it is reported, and the signal aborted, also while the roll-back hangs', async () => {
    const { signals, work } = hangingOnce()
    const inner = transactionalStore()
    const store: typeof inner = {
      ...inner,
      transact: (key, run) => inner.transact(key, run).catch(hanging),
    }
    const handle = createDeliveryHandler({ any: work }, { store, timeout: 10, abandonAfter: 100 })
    const first = expectRejection(handle(delivered()), 503, 'handler_timeout')
    await pass(1000)
    await first
    expectAbandoned(signals[0], 100)
    expect(abandonments()).toHaveLength(1)
  })

  test('without a store the status is 503, and what it throws later is shown', async () => {
    const { signals, work, late } = hangingOnce()
    const handle = createDeliveryHandler({ any: work }, { abandonAfter: 100 })
    const first = expectRejection(handle(delivered()), 503, 'handler_abandoned')
    await pass(100)
    await first
    expectAbandoned(signals[0], 100)
    expect(abandonments()).toHaveLength(1)
    late.fail(new Error('at last'))
    await pass(1000)
    const shown = /^\[webhook-receiver\] 503 was sent before the handler failed.*: Error: at last\n/
    expect(log.mock.calls.slice(1)).toEqual([[expect.stringMatching(shown)]])
  })
})

describe('`abandonAfter`', () => {
  /** After how many seconds a handler that never ends is abandoned. */
  async function abandonedBy(
    handle: (options: HandlingOptions, work: () => Promise<never>) => Promise<unknown>,
    options: HandlingOptions,
  ) {
    const seconds: number[] = []
    const begun = gate()
    const onRejected: HandlingOptions['onRejected'] = ({ reason }) => {
      if (reason === 'handler_abandoned') seconds.push((Date.now() - START) / 1000)
    }
    const work = () => {
      begun.open()
      return hanging()
    }
    handle({ ...options, onRejected }, work).catch(() => {})
    // The bytes of a request are signed and verified outside of the timers.
    await begun.promise
    await pass(5000)
    return seconds
  }
  const secret = 'whsec_test'
  const inRequest = async (options: HandlingOptions, any: () => Promise<never>) =>
    webhookHandler(
      secret,
      { any },
      options,
    )(await signedRequest('message.received', {}, { secret }))
  const inWorker = (options: HandlingOptions, any: () => Promise<never>) =>
    createDeliveryHandler({ any }, options)(delivered())
  const store = () => memoryStore({ now: () => Date.now() })

  test.each<[string, HandlingOptions, Parameters<typeof abandonedBy>[0], number[]]>([
    ['a `webhookHandler`', {}, inRequest, [900]],
    ['a longer `timeout`', { store: store(), timeout: 900.5 }, inRequest, [900.5]],
    ['no `timeout`', { store: store(), timeout: Number.POSITIVE_INFINITY }, inRequest, [900]],
    ['60 s, as `timeout`', { timeout: 60, abandonAfter: 60 }, inRequest, [60]],
    ['Infinity', { store: store(), abandonAfter: Number.POSITIVE_INFINITY }, inRequest, []],
    ['a `createDeliveryHandler`', { store: store() }, inWorker, []],
    ['an hour', { store: store(), abandonAfter: 3600 }, inWorker, [3600]],
  ])('with %s', async (_, options, form, seconds) => {
    expect(await abandonedBy(form, options)).toEqual(seconds)
  })

  test.each([
    [{ timeout: 60, abandonAfter: 59 }, 'at least the `timeout` of 60 s; got 59.'],
    [{ store: memoryStore(), abandonAfter: 24 }, 'at least the `timeout` of 25 s; got 24.'],
    [
      { abandonAfter: 86_401 },
      'a number of seconds above 0 and up to 86_400, or Infinity; got 86401.',
    ],
  ])('is a TypeError: %j', (options, message) => {
    for (const create of [
      () => createDeliveryHandler({ any: hanging }, options),
      () => webhookHandler('whsec_test', { any: hanging }, options),
    ]) {
      expect(create).toThrow(TypeError)
      expect(create).toThrow(`\`abandonAfter\` should be ${message}`)
    }
  })

  test('does not hide an invalid `timeout`', () => {
    const create = () => webhookHandler('whsec_test', { any: hanging }, { timeout: 90_000 })
    expect(create).toThrow(/^`timeout` should be .* got 90000/)
  })
})
