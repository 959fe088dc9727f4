import { runInNewContext } from 'node:vm'
import { createDeliveryHandler, memoryStore } from '@webhook-receiver/core'
import type { HandleDelivery } from '@webhook-receiver/core/internal'
import { describe, expect, test, vi } from 'vitest'
import { delivered, handling, storeWith } from './stores.ts'

function made(handlers: unknown, options?: unknown): HandleDelivery {
  return Reflect.apply(createDeliveryHandler, undefined, [handlers, options])
}

describe('each delivery goes to', () => {
  test('the handler of its event, with a signal and no transaction', async () => {
    const received = vi.fn()
    const any = vi.fn()
    const handle = createDeliveryHandler({ 'message.received': received, any })
    const delivery = delivered('message.received')
    expect(await handle(delivery)).toBe('completed')
    expect(received.mock.calls).toEqual([
      [delivery, { signal: expect.any(AbortSignal), transaction: undefined }],
    ])
    expect(any).not.toHaveBeenCalled()
  })

  test('a handler that copies its context, with the same signal', async () => {
    const any = vi.fn((_, context) => expect({ ...context }.signal).toBe(context.signal))
    await handling(any)(delivered())
    expect(any).toHaveBeenCalledOnce()
  })

  test('`unknown`, where the receiver does not know its event', async () => {
    const unknown = vi.fn()
    const any = vi.fn()
    const handle = createDeliveryHandler({ unknown, any })
    for (const event of ['message.reacted', 'unknown', 'any', 'constructor', '__proto__']) {
      await handle(delivered(event))
    }
    expect(unknown).toHaveBeenCalledTimes(5)
    expect(any).not.toHaveBeenCalled()
  })

  test('nobody, where there is no handler: it is acknowledged, and the store is not asked', async () => {
    const store = storeWith()
    const handle = createDeliveryHandler({ 'message.received': vi.fn() }, { store })
    expect(await handle(delivered('message.sent'))).toBe('ignored')
    expect(await handle(delivered('message.reacted'))).toBe('ignored')
    expect(store.asked).toEqual([])
  })
})

test('an extra event goes to its handler; that the receiver in front does not know it is an error, not a silence', async () => {
  const [reacted, any] = [vi.fn(), vi.fn()]
  const handle = made({ 'message.reacted': reacted, any }, { extraEvents: ['message.reacted'] })
  await handle({ ...delivered('message.reacted'), known: true } as never)
  expect(reacted).toHaveBeenCalledOnce()
  await expect(handle(delivered('message.reacted') as never)).rejects.toThrow(
    'which the receiver does not know: add it to its `extraEvents`.',
  )
})

test('what is no delivery of a receiver reaches no handler', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const work = vi.fn()
  const { known: _, ...json } = delivered('message.received')
  const handle = made({ any: work, unknown: work, 'message.received': work })
  const request = new Request('http://localhost/webhooks', { method: 'POST', body: '{}' })
  const untrue = { known: 'true', event: 'message.received' }
  for (const given of [request, json, untrue, {}, undefined]) {
    await expect(handle(given as never)).rejects.toMatchObject({
      ...{ status: 500, reason: 'delivery_missing' },
      detail: expect.stringContaining('Give it the `delivery` of a receiver'),
    })
  }
  expect(work).not.toHaveBeenCalled()
})

test.each([function* () {}, async function* () {}])(
  'a handler that returns the iterator of another function has not done its work: %#',
  async (work) => {
    const handle = handling(() => work(), { store: memoryStore() })
    for (const _ of ['a delivery', 'its retry']) {
      await expect(handle(delivered())).rejects.toThrow('none of whose code has run')
    }
  },
)

test('a handler that returns an array of promises has not done its work, and what rejects in it ends no process', async () => {
  const then = vi.fn()
  const query = Object.defineProperty({}, 'then', { value: then })
  for (const store of [undefined, memoryStore()]) {
    const work = () => [Promise.reject(new Error('not done')), query]
    const handle = handling(work, { store })
    await expect(handle(delivered())).rejects.toThrow('return `Promise.all` of them')
  }
  expect(then, 'a query that nobody waits for does not begin').not.toHaveBeenCalled()
})

test.each([new TypeError('not done'), runInNewContext("new Error('not done')")])(
  'a handler that returns an Error has failed as if it had thrown it: %#',
  async (error) => {
    const work = vi.fn(() => error)
    for (const handler of [work, async () => work()]) {
      for (const store of [undefined, memoryStore()]) {
        await expect(handling(handler, { store })(delivered())).rejects.toBe(error)
      }
    }
    expect(work).toHaveBeenCalledTimes(4)
  },
)

test('a handler that returns a promise which is a function, as by RPC on Workers, has not ended before that', async () => {
  const error = new Error('not done')
  const then = (_: unknown, fail: (error: Error) => void) => void setImmediate(fail, error)
  for (const store of [undefined, memoryStore()]) {
    const handle = handling(() => Object.assign(() => {}, { then }), { store })
    await expect(handle(delivered())).rejects.toBe(error)
  }
})

describe('is a TypeError at start', () => {
  const any = () => {}
  const methods = 'a store with the methods'
  test.each([
    [undefined, {}, 'handlers should be a function, or a plain object of functions'],
    [new Map([['any', any]]), {}, '; got an instance of Map'],
    [any, Promise.resolve({}), '; got an instance of Promise'],
    [{}, {}, 'There is no handler'],
    [
      { 'message.recieved': any },
      {},
      '"message.recieved", which is not an event. Did you mean "message.received"? The events are: ',
    ],
    [{ 'a.b': any }, {}, 'instance.disconnected, unknown, any.'],
    [{ any: 'log' }, {}, 'handler for "any" should be a function'],
    [function* () {}, {}, '; got a generator function'],
    [{ *any() {} }, {}, '; got a generator function'],
    [class {}, {}, '; got a class'],
    [any, { leese: 3 }, 'no option "leese". Did you mean "lease"? The options are: scheme, '],
    [any, { leese: 3 }, ', store, lease, timeout, abandonAfter, storeTimeout, '],
    [any, { store: { claim: any, complete: any, extend: any } }, methods],
    [any, { lease: 0 }, '`lease` should be a number of seconds above 0 and up to 86_400; got 0'],
    [any, { timeout: Number.NaN }, 'or Infinity; got NaN'],
    [any, { extraEvents: ['any'] }, '`extraEvents` should be'],
  ])('%j with the options %j', (handlers, options, message) => {
    expect(() => made(handlers, options)).toThrow(TypeError)
    expect(() => made(handlers, options)).toThrow(message)
  })
})
