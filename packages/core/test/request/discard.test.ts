import { PassThrough, Readable } from 'node:stream'
import { describe, expect, test, vi } from 'vitest'
import { discardBody } from '../../src/adapter.ts'
import { discardStream } from '../../src/request/discard.ts'
import { expectRejection, receiverWith } from '../deliveries.ts'
import { chunked, endless, pieces, request } from './streams.ts'

const CHUNK = 65_536
const MOST = 12_582_912

/** A Request, with what throws its body away, and whether nobody holds it. */
function requestWith(stream: ReadableStream<Uint8Array>) {
  const body = request('message.received', stream)
  return { discard: () => discardBody(body), isLeft: () => !stream.locked }
}

/** The same of a stream of Node. */
function nodeWith<Stream extends Readable>(stream: Stream) {
  const count = () =>
    ['data', 'end', 'close', 'error'].reduce((sum, name) => sum + stream.listenerCount(name), 0)
  const before = count()
  const isLeft = () => stream.isPaused() && !stream.destroyed && count() === before
  return { discard: () => discardStream(stream), isLeft }
}

const READERS = {
  'a Request': (chunks: Iterable<Uint8Array>) => requestWith(chunked(chunks).stream),
  'a stream of Node': (chunks: Iterable<Uint8Array>) =>
    nodeWith(Readable.from(chunks, { highWaterMark: 1 })),
}

const never = () => new Promise<void>(() => {})
const STALLED = {
  'a Request': () => requestWith(new ReadableStream({ pull: never })),
  'a stream of Node': () => nodeWith(new Readable({ read() {} })),
}

describe.each(Object.entries(READERS))('the rest of the body of %s', (_, reader) => {
  let bytes = 0
  function* counted(chunks: Iterable<Uint8Array>) {
    bytes = 0
    for (const chunk of chunks) {
      bytes += chunk.length
      yield chunk
    }
  }

  test('is read to its end within 12 MiB', async () => {
    expect(await reader(counted(pieces(new Uint8Array(MOST), CHUNK))).discard()).toBe(true)
    expect(bytes).toBe(MOST)
  })

  test('is read no further than that and some chunks', async () => {
    const { discard, isLeft } = reader(counted(endless(CHUNK)))
    expect(await discard()).toBe(false)
    expect(bytes).toBeGreaterThan(MOST)
    expect(bytes).toBeLessThanOrEqual(MOST + 3 * CHUNK)
    expect(isLeft()).toBe(true)
  })
})

test.each(Object.entries(STALLED))(
  'the rest of the body of %s is given up after two seconds where it stalls',
  async (_, stalled) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { discard, isLeft } = stalled()
    const settled = vi.fn()
    const discarded = discard().then(settled)
    await vi.advanceTimersByTimeAsync(1999)
    expect(settled).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await discarded
    expect(settled).toHaveBeenCalledExactlyOnceWith(false)
    expect([isLeft(), vi.getTimerCount()]).toEqual([true, 0])
  },
)

test('a rejection waits for the rest of the body, which may break off', async () => {
  function* breaking() {
    yield* pieces(new Uint8Array(CHUNK), 1000)
    throw new Error('ECONNRESET')
  }
  const { stream, pulled } = chunked(breaking())
  const unsigned = request('message.received', stream, { 'X-Webhook-Signature': 'none' })
  const attempt = receiverWith().receiveRequest(unsigned)
  await expectRejection(attempt, 401, 'signature_malformed')
  expect(pulled()).toBe(CHUNK)
})

test('of a Request, nothing is read where there is no body, or where someone else reads it', async () => {
  expect(await discardBody(new Request('http://localhost/'))).toBe(true)
  const { stream, pulled } = chunked(endless(CHUNK))
  const locked = request('message.received', stream)
  const reader = locked.body?.getReader()
  expect(await discardBody(locked), 'nobody knows whether it came to its end').toBe(false)
  expect(pulled()).toBe(0)
  expect((await reader?.read())?.value).toHaveLength(CHUNK)
})

describe('a stream of Node', () => {
  test.each([
    ['is destroyed', undefined],
    ['breaks off with an error', new Error('ECONNRESET')],
  ])('that %s has ended, and leaves no timer', async (_, error) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const stream = new PassThrough()
    const discarded = discardStream(stream)
    expect(vi.getTimerCount()).toBe(1)
    stream.destroy(error)
    expect(await discarded).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('that has ended or was destroyed needs nothing', async () => {
    // As a request of Node: it ends without being destroyed.
    const ended = new Readable({ autoDestroy: false, read: () => void ended.push(null) })
    ended.resume()
    await new Promise((resolve) => ended.on('end', resolve))
    for (const stream of [ended, new PassThrough().destroy()]) {
      expect(await discardStream(stream)).toBe(true)
      expect(stream.listenerCount('data')).toBe(0)
    }
  })
})
