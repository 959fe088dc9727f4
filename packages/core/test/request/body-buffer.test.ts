import { expect, test } from 'vitest'
import { BodyBuffer } from '../../src/request/body-buffer.ts'

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => index)

/** A buffer that was given `total` bytes in chunks of `size`, and the sizes that it asked memory of. */
function filled(total: number, size: number, limit: number, declared?: number) {
  const sizes: number[] = []
  const allocate = (length: number) => {
    sizes.push(length)
    return new Uint8Array(length)
  }
  const body = new BodyBuffer(limit, declared, allocate)
  const all = bytes(total)
  const added = Array.from({ length: Math.ceil(total / size) }, (_, index) =>
    body.add(all.slice(index * size, (index + 1) * size)),
  )
  expect(added).not.toContain(false)
  // Element by element would take a second.
  expect(Buffer.compare(body.bytes(), all)).toBe(0)
  return { body, sizes }
}

test.each([1, 7, 1000, 100_000])('keeps a body in chunks of %d bytes', (size) => {
  expect(filled(100_000, size, 100_000).body.length).toBe(100_000)
})

test('doubles, up to the limit', () => {
  expect(filled(100_000, 1000, 100_000).sizes).toEqual([16_384, 32_000, 64_000, 100_000])
})

test('doubles up to what is declared, and begins with that or 64 KiB', () => {
  expect(filled(50_000, 1000, 1_000_000, 50_000).sizes).toEqual([50_000])
  expect(filled(100_000, 1000, 1_000_000, 100_000).sizes).toEqual([65_536, 100_000])
})

test('allocates little for a body that was declared large and has only begun', () => {
  expect(filled(20, 10, 1_000_000, 1_000_000).sizes).toEqual([65_536])
})

test('takes more than was declared all the same, up to the limit', () => {
  expect(filled(5000, 1000, 5000, 1500).sizes.at(-1)).toBe(5000)
})

test.each([Number.NaN, -1, 0, undefined])('takes a declared length of %j for none', (declared) => {
  expect(filled(2000, 1000, 10_000, declared).sizes).toEqual([10_000])
})

test('neither copies a body in one piece nor keeps more alive than its bytes', () => {
  const whole = bytes(100)
  const body = new BodyBuffer(1000)
  expect(body.add(whole)).toBe(true)
  expect(body.bytes()).toBe(whole)
  const view = new Uint8Array(10_000).subarray(0, 100).fill(7)
  const copied = new BodyBuffer(1000)
  copied.add(view)
  expect(copied.bytes()).toEqual(new Uint8Array(100).fill(7))
  expect(copied.bytes().buffer).not.toBe(view.buffer)
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
  expect(body.bytes()).toEqual(bytes(10))
  const other = new BodyBuffer(10)
  expect(other.add(bytes(11))).toBe(false)
  expect(other.bytes()).toEqual(bytes(10))
})

test('is empty where nothing came', () => {
  const body = new BodyBuffer(10)
  expect(body.add(new Uint8Array(0))).toBe(true)
  expect([body.length, body.bytes().length]).toEqual([0, 0])
})
