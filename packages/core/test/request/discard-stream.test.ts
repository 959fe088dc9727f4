import { PassThrough, Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { discardStream } from '../../src/request/discard.ts'
import { endless, pieces } from './streams.ts'

const bounds = { bytes: 10_000, milliseconds: 60_000 }
const events = ['data', 'end', 'close', 'error'] as const

/** How many listeners a stream has for the events that matter here. */
const listeners = (stream: Readable) =>
  events.reduce((sum, event) => sum + stream.listenerCount(event), 0)

test('a stream of one byte more than the bound does not, and is paused', async () => {
  const stream = new PassThrough()
  const before = listeners(stream)
  for (const chunk of pieces(new Uint8Array(10_001), 1000)) stream.write(chunk)
  expect(await discardStream(stream, bounds)).toBe(false)
  expect(stream.isPaused()).toBe(true)
  expect(stream.destroyed).toBe(false)
  expect(listeners(stream)).toBe(before)
})

test('a stream without end is read up to 12 MiB and one chunk', async () => {
  let bytes = 0
  function* counted() {
    for (const chunk of endless(65_536)) {
      bytes += chunk.length
      yield chunk
    }
  }
  const stream = Readable.from(counted(), { highWaterMark: 1 })
  expect(await discardStream(stream)).toBe(false)
  expect(bytes).toBeGreaterThan(12_582_912)
  expect(bytes).toBeLessThanOrEqual(12_582_912 + 3 * 65_536)
})

test('a stream that stalls is given up after two seconds, and is paused', async () => {
  vi.useFakeTimers()
  const stream = new PassThrough()
  const before = listeners(stream)
  stream.write('begun')
  const settled = vi.fn()
  const discarded = discardStream(stream).then(settled)
  await vi.advanceTimersByTimeAsync(1999)
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  await discarded
  expect(settled).toHaveBeenCalledExactlyOnceWith(false)
  expect(stream.isPaused()).toBe(true)
  expect(listeners(stream)).toBe(before)
})

test.each([
  ['is destroyed', undefined],
  ['breaks off with an error', new Error('ECONNRESET')],
])('a stream that %s has ended, and leaves no timer', async (_, error) => {
  vi.useFakeTimers()
  const stream = new PassThrough()
  const discarded = discardStream(stream, bounds)
  expect(vi.getTimerCount()).toBe(1)
  stream.destroy(error)
  expect(await discarded).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

test('a stream that has ended or was destroyed needs nothing', async () => {
  vi.useFakeTimers()
  // As a request of Node: it ends without being destroyed.
  const ended = new Readable({ autoDestroy: false, read: () => void ended.push(null) })
  ended.resume()
  await new Promise((resolve) => ended.on('end', resolve))
  const destroyed = new PassThrough()
  destroyed.destroy()
  for (const stream of [ended, destroyed]) {
    const before = listeners(stream)
    expect(await discardStream(stream, bounds)).toBe(true)
    expect(listeners(stream)).toBe(before)
    expect(vi.getTimerCount()).toBe(0)
  }
})
