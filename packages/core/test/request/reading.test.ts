import { afterEach, expect, test, vi } from 'vitest'
import { processWide } from '../../src/copies/process-wide.ts'
import { OpenReading } from '../../src/request/reading.ts'

vi.resetModules()
const other = await import('../../src/request/reading.ts')

const KIBIBYTE = 1024
const BUDGET = 100 * KIBIBYTE

const opened: OpenReading[] = []

afterEach(() => {
  for (const reading of opened.splice(0)) {
    reading.close()
    reading.close()
  }
  expect(processWide('unverified-bytes', Object)).toEqual({
    bytes: new Map(),
    uploads: new Set(),
  })
})

function open(unverifiedBytes = BUDGET, Reading = OpenReading) {
  const reading = new Reading({ limit: 1, bodyTimeout: 1, unverifiedBytes })
  opened.push(reading)
  return reading
}

/** An upload, of which so many KiB beyond the first 64 have arrived. */
function upload(kibibytes: number, reading = open()) {
  const stopped = vi.fn()
  reading.begin(stopped)
  const hold = (beyond: number) => reading.hold((64 + beyond) * KIBIBYTE)
  return { reading, hold, kept: hold(kibibytes), stops: () => stopped.mock.calls.length, stopped }
}

test('beyond that, those that began first give way: 503 body_budget_full', () => {
  const [one, two, three] = [upload(60), upload(30), upload(5)]
  expect(three.hold(20)).toBe(true)
  expect([one.stops(), two.stops(), three.stops()]).toEqual([1, 0, 0])
  expect(one.stopped.mock.calls).toMatchObject([
    [
      {
        status: 503,
        reason: 'body_budget_full',
        headers: { 'Retry-After': '10', Connection: 'close' },
        detail: expect.stringMatching(
          /fill `unverifiedBytes` \(102400\), and this one is the oldest/,
        ),
      },
    ],
  ])
  expect([one.hold(1), one.reading.counted]).toEqual([false, 0])
})

test('so does the one that asks for more', () => {
  const [one, two] = [upload(60), upload(30)]
  expect([one.hold(80), one.stops(), two.stops()]).toEqual([false, 1, 0])
})

test('one that holds everything by itself never gives way', () => {
  const one = upload(200)
  expect([one.kept, one.hold(300), one.stops()]).toEqual([true, true, 0])
})

test('the first 64 KiB of each do not count', () => {
  const small = Array.from({ length: 100 }, () => upload(0))
  expect(upload(100).kept).toBe(true)
  expect(small.map(({ stops }) => stops())).toEqual(Array(100).fill(0))
})

test('what has arrived whole still counts, and does not give way', () => {
  const [whole, arriving] = [upload(60), upload(30)]
  whole.reading.end()
  expect([arriving.hold(50), arriving.stops()]).toEqual([false, 1])
  expect(whole.hold(90)).toBe(true)
  expect([upload(20).kept, whole.stops()]).toEqual([false, 0])
  whole.reading.close()
  expect(upload(20).kept).toBe(true)
})

test('what comes whole makes others give way, and always has room', () => {
  const arriving = upload(60)
  expect([open().hold(500 * KIBIBYTE), arriving.stops()]).toEqual([true, 1])
})

test('what a receiver that allows more holds keeps nothing out of one that allows less', () => {
  const large = upload(900, open(1000 * KIBIBYTE))
  const endless = upload(1e6, open(Number.POSITIVE_INFINITY))
  const [one, two] = [upload(60), upload(40)]
  expect([one.kept, two.kept]).toEqual([true, true])
  expect([large, endless, one, two].map(({ stops }) => stops())).toEqual([0, 0, 0, 0])
  // Together they hold no more than the larger value.
  expect([large.hold(950), large.stops()]).toEqual([false, 1])
})

test('all copies of core count together', () => {
  expect(other.OpenReading).not.toBe(OpenReading)
  const one = upload(60)
  const two = upload(60, open(BUDGET, other.OpenReading))
  expect([two.kept, one.stops()]).toEqual([true, 1])
  expect([upload(60).kept, two.stops()]).toEqual([true, 1])
})
