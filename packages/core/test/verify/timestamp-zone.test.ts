import { afterEach, expect, test, vi } from 'vitest'
import { readTimestamp } from '../../src/verify/timestamp.ts'
import known from '../known-answers/timestamps.json' with { type: 'json' }

afterEach(() => {
  vi.unstubAllEnvs()
})

test.each([
  ['Pacific/Kiritimati', 640],
  ['America/St_Johns', 210],
  ['Asia/Kathmandu', -330],
  ['Europe/Berlin', -60],
])('reads every form alike where the process runs in %s', (zone, offset) => {
  vi.stubEnv('TZ', zone)
  expect(new Date(0).getTimezoneOffset(), 'the zone took effect').toBe(offset)
  const read = Object.keys(known).map((value) => [value, readTimestamp(value)])
  expect(Object.fromEntries(read)).toEqual(known)
})

test('refuses a time that no zone was given for, in any zone', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/New_York']) {
    vi.stubEnv('TZ', zone)
    expect(readTimestamp('2025-10-09T08:53:20')).toBeUndefined()
    // Does not exist on a Berlin wall clock, and is an instant all the same.
    expect(readTimestamp('2025-03-30T02:30:00Z')).toBe(1743301800000)
  }
})
