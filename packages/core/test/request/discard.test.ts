import { describe, expect, test, vi } from 'vitest'
import { discardBody } from '../../src/adapter.ts'
import { expectRejection, receiverWith } from '../deliveries.ts'
import { chunked, endless, pieces, request } from './streams.ts'

const limit = 10_000
const chunk = 65_536
/** What is read on of a rejected request: in bytes, and in milliseconds. */
const bytes = 12_582_912
const milliseconds = 2000
const receiver = receiverWith({ limit })
const unsigned = (stream: ReadableStream<Uint8Array>) =>
  request('message.received', stream, { 'X-Webhook-Signature': 'none' })

describe('the body of a rejected Request', () => {
  test('is read to its end, so that the sender sees the response', async () => {
    const { stream, pulled } = chunked(pieces(new Uint8Array(10 * chunk), 1000))
    await expectRejection(receiver.receiveRequest(unsigned(stream)), 401, 'signature_malformed')
    expect(pulled()).toBe(10 * chunk)
  })

  test('is read no further than 12 MiB and one chunk', async () => {
    const { stream, pulled } = chunked(endless(chunk))
    await expectRejection(receiver.receiveRequest(unsigned(stream)), 401, 'signature_malformed')
    expect(pulled()).toBe(bytes + chunk)
  })

  test('is given up after two seconds where it stalls', async () => {
    vi.useFakeTimers()
    const stalled = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) })
    const settled = vi.fn()
    const attempt = expectRejection(
      receiver.receiveRequest(unsigned(stalled)),
      401,
      'signature_malformed',
    ).then(settled)
    await vi.advanceTimersByTimeAsync(milliseconds - 1)
    expect(settled).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await attempt
    expect(settled).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(0)
    expect(stalled.locked).toBe(false)
  })

  test('may break off, and the rejection does not change', async () => {
    function* breaking() {
      yield new Uint8Array(chunk)
      throw new Error('ECONNRESET')
    }
    const { stream } = chunked(breaking())
    await expectRejection(receiver.receiveRequest(unsigned(stream)), 401, 'signature_malformed')
  })
})

test('discardBody tells of a body that stalls that it did not come to its end', async () => {
  vi.useFakeTimers()
  const stalled = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) })
  const whole = discardBody(request('message.received', stalled))
  await vi.advanceTimersByTimeAsync(milliseconds)
  expect(await whole).toBe(false)
})

test('discardBody does nothing where there is no body, or where someone else reads it', async () => {
  expect(await discardBody(new Request('http://localhost/'))).toBe(true)
  const { stream, pulled } = chunked(endless(chunk))
  const locked = request('message.received', stream)
  const reader = locked.body?.getReader()
  expect(await discardBody(locked), 'nobody knows whether it came to its end').toBe(false)
  expect(pulled()).toBe(0)
  expect((await reader?.read())?.value).toHaveLength(chunk)
})
