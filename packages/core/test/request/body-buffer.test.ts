import { expect, test } from 'vitest'
import { BodyBuffer } from '../../src/request/body-buffer.ts'

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => index)

/** A buffer that was given `total` bytes in chunks of `size`, and the sizes that it asked memory of. */
function filled(total: number, size: number, limit: number, announced?: number) {
  const sizes: number[] = []
  const allocate = (length: number) => {
    sizes.push(length)
    return new Uint8Array(length).fill(0xaa)
  }
  const body = new BodyBuffer(limit, allocate, announced)
  const all = bytes(total)
  const added = Array.from({ length: Math.ceil(total / size) }, (_, index) =>
    body.add(all.slice(index * size, (index + 1) * size)),
  )
  expect(added).not.toContain(false)
  const { length } = body
  const kept = body.take()
  // Element by element would take a second.
  expect(Buffer.compare(kept, all)).toBe(0)
  expect(kept.buffer.byteLength).toBe(total)
  return { length, sizes }
}

test.each([1, 7, 1000, 1600, 100_000])(
  'keeps a body in chunks of %d bytes, in memory of its length',
  (size) => {
    expect(filled(100_000, size, 100_000).length).toBe(100_000)
  },
)

test('joins up to 64 chunks once', () => {
  expect(filled(100_000, 1600, 1_000_000).sizes).toEqual([100_000])
  expect(filled(640, 10, 1_000_000).sizes).toEqual([640])
})

test('joins more chunks in a buffer that grows, up to the limit', () => {
  expect(filled(100_000, 1000, 100_000).sizes).toEqual([100_000])
  expect(filled(300_000, 1000, 1_000_000).sizes).toEqual([260_000, 1_000_000, 300_000])
  expect(filled(65, 1, 1_000_000).sizes).toEqual([260, 65])
})

test('grows to an announced length', () => {
  expect(filled(300_000, 1000, 1_000_000, 300_000).sizes).toEqual([260_000, 300_000])
  expect(filled(100_000, 1000, 1_000_000, 100_000).sizes).toEqual([100_000])
  expect(filled(100_000, 1000, 1_000_000, 90_000).sizes).toEqual([90_000, 364_000, 100_000])
  expect(filled(100_000, 100_000, 1_000_000, 100_000).sizes).toEqual([])
})

test.each([0, 1, 50, 99, Number.NaN])(
  'keeps a body that is longer than the announced %d bytes',
  (announced) => {
    expect(filled(100, 10, 1000, announced).length).toBe(100)
  },
)

test('does not copy a body in one piece', () => {
  const whole = bytes(100)
  const body = new BodyBuffer(1000)
  expect(body.add(whole)).toBe(true)
  expect(body.take()).toBe(whole)
})

test.each([
  [1, 1],
  [499, 1],
  [500, 0],
  [999, 0],
])('keeps of views of %d bytes no more than twice their memory alive', (length, copies) => {
  const view = new Uint8Array(1000).subarray(0, length).fill(7)
  const sizes: number[] = []
  const body = new BodyBuffer(1000, (size) => {
    sizes.push(size)
    return new Uint8Array(size)
  })
  body.add(view)
  expect(sizes).toHaveLength(copies)
  const kept = body.take()
  expect(kept).toEqual(new Uint8Array(length).fill(7))
  expect(kept.buffer.byteLength).toBe(length)
})

test.each([100, 10])('hands its bytes over, once, in chunks of %d bytes', (size) => {
  const body = new BodyBuffer(1000, Buffer.allocUnsafeSlow)
  for (let at = 0; at < 100; at += size) body.add(bytes(size))
  expect(body.take()).toHaveLength(100)
  expect([body.length, body.take()]).toEqual([0, Buffer.alloc(0)])
})

test('writes nothing into a chunk that it was given', () => {
  const first = bytes(10)
  const body = new BodyBuffer(1000)
  body.add(first)
  body.add(new Uint8Array(10).fill(255))
  expect(first).toEqual(bytes(10))
})

test('says that a chunk does not fit, and keeps its beginning', () => {
  const body = new BodyBuffer(10)
  expect(body.add(bytes(10))).toBe(true)
  expect(body.add(bytes(1))).toBe(false)
  expect(body.take()).toEqual(bytes(10))
  const other = new BodyBuffer(10)
  expect(other.add(bytes(11))).toBe(false)
  expect(other.take()).toEqual(bytes(10))
})

test('is empty where nothing came', () => {
  const body = new BodyBuffer(10)
  expect(body.add(new Uint8Array(0))).toBe(true)
  expect([body.length, body.take().length]).toEqual([0, 0])
})
