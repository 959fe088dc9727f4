import { expect, test, vi } from 'vitest'
import { BodyBuffer } from '../../src/request/body-buffer.ts'
import { upTo } from '../../src/request/reading.ts'

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => index)

/** What makes memory, and the sizes that it was asked for. */
function sizing() {
  const sizes: number[] = []
  const allocate = (length: number) => {
    sizes.push(length)
    return new Uint8Array(length).fill(0xaa)
  }
  return { sizes, allocate }
}

/** The sizes of memory that a buffer asked for when it was given `total` bytes in chunks of `size`, and what it said that it takes. */
function filled(total: number, size: number, limit: number) {
  const { sizes, allocate } = sizing()
  const held: number[] = []
  const hold = (memory: number) => held.push(memory) > 0
  const body = new BodyBuffer({ limit, hold }, allocate)
  const all = bytes(total)
  for (let at = 0; at < total; at += size) expect(body.add(all.slice(at, at + size))).toBe(true)
  const kept = body.take()
  // Element by element would take a second.
  expect(Buffer.compare(kept, all)).toBe(0)
  expect(kept.buffer.byteLength).toBe(total)
  return { sizes, held }
}

test.each([
  ['does not copy a body in one piece', 100_000, 100_000, 1e6, []],
  ['joins up to 64 chunks once', 100_000, 1600, 1e6, [100_000]],
  ['joins up to 64 small chunks once', 640, 10, 1e6, [640]],
  ['copies more into blocks of a quarter of what is kept', 128_000, 1600, 1e9, [25_600, 128_000]],
  ['copies more into blocks of at least 16 KiB', 65, 1, 1e9, [16_384, 65]],
  ['copies more into blocks of at most 1 MiB', 5_500_000, 80_000, 1e9, [1_048_576, 5_500_000]],
  ['makes no block larger than what the limit leaves', 100_000, 1500, 100_000, [4000, 100_000]],
  ['makes no small block larger than that', 65, 1, 65, [1, 65]],
])('%s', (_, total, size, limit, sizes) => {
  expect(filled(total, size, limit).sizes).toEqual(sizes)
})

test('makes a block as large as a chunk that is larger than that', () => {
  const { sizes, allocate } = sizing()
  const body = new BodyBuffer(upTo(1e6), allocate)
  const chunks = [...Array.from({ length: 65 }, () => bytes(1)), bytes(20_000), bytes(40_000)]
  for (const chunk of chunks) body.add(chunk)
  expect(Buffer.compare(body.take(), Buffer.concat(chunks))).toBe(0)
  expect(sizes).toEqual([16_384, 16_384, 27_233, 60_065])
})

test('says what memory it takes above 64 KiB, before it takes it', () => {
  expect(filled(65_536, 1024, 1e6).held).toEqual([])
  expect(filled(100_000, 100_000, 1e6).held).toEqual([100_000, 100_000])
  expect(filled(200_000, 50_000, 1e6).held).toEqual([100_000, 150_000, 200_000, 200_000])
  expect(filled(80_000, 1000, 1e6).held).toEqual([80_384, 80_000])
})

test.each([10, 63, 64, 70])('keeps nothing of the chunk behind %d others if it may not', (more) => {
  const allowed = vi.fn(() => true)
  const body = new BodyBuffer({ limit: 1e9, hold: allowed })
  body.add(bytes(70_000))
  for (let count = 1; count < more; count++) body.add(bytes(1000))
  const { length } = body
  allowed.mockReturnValue(false)
  expect([body.add(bytes(300_000)), body.length]).toEqual([true, length])
})

test.each([
  [499, 1],
  [500, 0],
])('keeps of views of %d bytes no more than twice their memory alive', (length, copies) => {
  const view = new Uint8Array(1000).subarray(0, length).fill(7)
  const { sizes, allocate } = sizing()
  const body = new BodyBuffer(upTo(1000), allocate)
  body.add(view)
  expect(sizes).toHaveLength(copies)
  const kept = body.take()
  expect(kept).toEqual(new Uint8Array(length).fill(7))
  expect(kept.buffer.byteLength).toBe(length)
})

test.each([100, 10])('hands its bytes over, once, in chunks of %d bytes', (size) => {
  const body = new BodyBuffer(upTo(1000), Buffer.allocUnsafeSlow)
  for (let at = 0; at < 100; at += size) body.add(bytes(size))
  expect(body.take()).toHaveLength(100)
  expect([body.length, body.take()]).toEqual([0, Buffer.alloc(0)])
})

test('keeps of a chunk that does not fit what does', () => {
  const body = new BodyBuffer(upTo(10))
  expect(body.add(bytes(11))).toBe(false)
  expect(body.take()).toEqual(bytes(10))
})
