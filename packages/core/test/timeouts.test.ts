import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  current,
  expectRejection,
  incoming,
  receiverWith,
  schemasOf,
  signed,
} from './deliveries.ts'
import { request } from './request/streams.ts'

const never = () => new Promise<never>(() => {})

/** A body whose first half has come, and nothing more will. */
function stalled() {
  const half = signed('message.received').body.slice(0, 100)
  let begun = false
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (begun) await never()
      begun = true
      controller.enqueue(half)
    },
  })
}

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  expect(vi.getTimerCount(), 'no timer is left').toBe(0)
})

/** Asserts that it settles after so many seconds, and not before. */
async function settlesAfter<Value>(seconds: number, work: Promise<Value>) {
  const settled = vi.fn()
  work.then(settled, settled)
  await vi.advanceTimersByTimeAsync(seconds * 1000 - 1)
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(settled).toHaveBeenCalledTimes(1)
  return work
}

describe('a body of a Request that does not come', () => {
  test('is rejected after `bodyTimeout`: 408 body_timeout', async () => {
    const late = request('message.received', stalled())
    const attempt = receiverWith({ bodyTimeout: 2 }).receiveRequest(late)
    const error = await settlesAfter(2, expectRejection(attempt, 408, 'body_timeout'))
    expect(error).toMatchObject({ code: 'body_too_slow', headers: { Connection: 'close' } })
    expect(error.detail).toMatch(/^After 2 s only 100 bytes had arrived.*`bodyTimeout`/)
    expect(late.body?.locked).toBe(false)
  })

  test('is rejected as well where the runtime does not release a reader that waits', async () => {
    const reader = stalled().getReader()
    reader.releaseLock = () => {
      throw new TypeError('Cannot call releaseLock() on a reader with outstanding read promises.')
    }
    const { method, url, headers } = request('message.received')
    const held = { method, url, headers, body: { locked: false, getReader: () => reader } }
    const receiver = receiverWith()
    const attempt = receiver.receiveRequest(held as object as Request)
    await settlesAfter(30, expectRejection(attempt, 408, 'body_timeout'))
  })
})

describe('a secret function', () => {
  test('that never settles is given up after `callbackTimeout`: 503 secret_unavailable, nothing read', async () => {
    const readBody = vi.fn(() => signed('message.received').body)
    const receiver = receiverWith({ callbackTimeout: 3 }, never)
    const attempt = receiver.receive(incoming('message.received', { readBody }))
    const { detail } = await settlesAfter(3, expectRejection(attempt, 503, 'secret_unavailable'))
    expect(detail).toMatch(/took more than 3 s.*`callbackTimeout`/)
    expect(readBody).not.toHaveBeenCalled()
  })

  test('that returns at once, as a schema does, makes no timer', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const receiver = receiverWith(
      { schemas: schemasOf(() => ({ value: {} })) },
      () => current.secret,
    )
    expect((await receiver.receive(incoming('message.received'))).delivery.known).toBe(true)
    expect(timers).not.toHaveBeenCalled()
  })
})

test('a schema that never settles is given up: 500 schema_failed', async () => {
  const receiver = receiverWith({ schemas: schemasOf(never) })
  const attempt = receiver.receive(incoming('message.received'))
  const { detail } = await settlesAfter(10, expectRejection(attempt, 500, 'schema_failed'))
  expect(detail).toMatch(/"message\.received" took more than 10 s.*`callbackTimeout`/)
})

test.each([
  ['onUnprocessable', 'not json', 400, 'body_not_json', /onUnprocessable (took more .*)/],
  [
    'diagnose',
    'message.received',
    401,
    'signature_mismatch',
    /The diagnosis failed\..* (took more .*)/s,
  ],
] as const)(
  'a function %s that never settles is not waited for longer, and that is logged',
  async (option, name, status, reason, line) => {
    const print = vi.spyOn(console, 'error').mockReturnValue()
    const receiver = receiverWith({ [option]: never, onRejected: false })
    const body = option === 'diagnose' ? { body: new Uint8Array(3) } : {}
    const attempt = receiver.receive(incoming(name, body))
    await settlesAfter(10, expectRejection(attempt, status, reason))
    const [, said] = line.exec(String(print.mock.calls)) ?? []
    expect(said).toMatch(/^took more than 10 s.*`callbackTimeout`/)
  },
)
