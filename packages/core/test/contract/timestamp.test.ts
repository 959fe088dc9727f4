import { expect, test, vi } from 'vitest'
import { readTimestamp } from '../../src/contract/timestamp.ts'
import known from '../expected/timestamps.json' with { type: 'json' }

test.each(Object.entries(known))('reads %j as %d ms', (value, milliseconds) => {
  expect(readTimestamp(value)).toBe(milliseconds)
})

test('reads nine digits of a fraction to within a microsecond', () => {
  expect(readTimestamp('2025-10-09T08:53:20.123456789Z')).toBeCloseTo(1760000000123.456, 2)
})

// More numbers, ISO 8601, instants that do not exist and dates are in ../vectors.test.ts.
test.each([
  // Numbers in few digits, or none.
  ...['', '1'],
  // Anything before or behind.
  ...[' 1760000000', '1760000000\n', '1760000000\u2028', '1760000000, 1760000000'],
  ...['2025-10-09T08:53:20Z\n', 'Thu, 09 Oct 2025 08:53:20 GMT\n'],
  // ISO 8601 that is not RFC 3339.
  ...['2025-10-09T085320Z', '2025-10-09T08:53:20.1234567890Z', '2025-10-09T08:53:20−02:00'],
  ...['٢٠٢٥-10-09T08:53:20Z', '1900-02-29T00:00:00Z'],
  // Other ways to write a date.
  ...['Thu, 09 Oct 2025 24:00:00 GMT', 'Thu, 9 Oct 2025 08:53:20 GMT', 'October 9, 2025'],
  'Thu, 09 Oct 12025 08:53:20 GMT',
])('rejects %j', (value) => {
  expect(readTimestamp(value)).toBeUndefined()
})

test.each([
  ['Pacific/Kiritimati', 640],
  ['Asia/Kathmandu', -330],
])('reads every form alike where the process runs in %s', (zone, offset) => {
  vi.stubEnv('TZ', zone)
  expect(new Date(0).getTimezoneOffset(), 'the zone took effect').toBe(offset)
  const read = Object.keys(known).map((value) => [value, readTimestamp(value)])
  expect(Object.fromEntries(read)).toEqual(known)
})

test('rejects a time that no zone was given for, in any zone', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/New_York']) {
    vi.stubEnv('TZ', zone)
    expect(readTimestamp('2025-10-09T08:53:20')).toBeUndefined()
    // Does not exist on a Berlin wall clock, and is an instant all the same.
    expect(readTimestamp('2025-03-30T02:30:00Z')).toBe(1743301800000)
  }
})
