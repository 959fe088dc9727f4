import { describe, expect, test } from 'vitest'
import { ageOf, checkTimestamp } from '../../src/verify/timestamp.ts'
import { type DeliveryName, expectRefusal, NOW, received } from '../deliveries.ts'

const forms: readonly DeliveryName[] = ['message.received', 'milliseconds', 'rfc 3339', 'http-date']

describe.each(forms)('the age of a delivery, timestamp as in "%s"', (name) => {
  const at = (offset: number, tolerance?: number) =>
    received(name, {}, { now: () => NOW + offset, ...(tolerance !== undefined && { tolerance }) })

  test.each([0, 1, 299_999, 300_000, -1, -299_999, -300_000])(
    'is accepted %d ms after the timestamp',
    async (offset) => {
      expect((await at(offset)).delivery.event).toBe('message.received')
    },
  )

  test('is refused at 300.001 s: 401 timestamp_too_old', async () => {
    const { detail } = await expectRefusal(at(300_001), 401, 'timestamp_too_old')
    expect(detail).toContain('300.001 s old and the tolerance is 300 s')
  })

  test('is refused 300.001 s ahead: 401 timestamp_in_future', async () => {
    const { detail } = await expectRefusal(at(-300_001), 401, 'timestamp_in_future')
    expect(detail).toContain('300.001 s in the future and the tolerance is 300 s')
  })

  test('has to be nothing where the tolerance is 0', async () => {
    expect((await at(0, 0)).delivery.known).toBe(true)
    await expectRefusal(at(1, 0), 401, 'timestamp_too_old')
    await expectRefusal(at(-1, 0), 401, 'timestamp_in_future')
  })

  test('can be a fraction of a second', async () => {
    expect((await at(500, 0.5)).delivery.known).toBe(true)
    await expectRefusal(at(501, 0.5), 401, 'timestamp_too_old')
  })

  test('does not matter where the tolerance is Infinity', async () => {
    expect((await at(1e12, Number.POSITIVE_INFINITY)).delivery.known).toBe(true)
    expect((await at(-1e12, Number.POSITIVE_INFINITY)).delivery.known).toBe(true)
  })
})

test('refuses an authentic timestamp of no known form: 401 timestamp_unreadable', async () => {
  const error = await expectRefusal(received('unreadable timestamp'), 401, 'timestamp_unreadable')
  expect(error.detail).toContain('"yesterday"')
  await expectRefusal(received('latin-1 timestamp'), 401, 'timestamp_unreadable')
})

test('accepts any form where the tolerance is Infinity', async () => {
  const tolerance = Number.POSITIVE_INFINITY
  for (const name of ['unreadable timestamp', 'latin-1 timestamp'] as const) {
    expect((await received(name, {}, { tolerance })).delivery.event).toBe('message.received')
  }
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  'refuses where the clock answers %d, whatever the finite tolerance',
  async (time) => {
    const reason = time < 0 ? 'timestamp_in_future' : 'timestamp_too_old'
    for (const tolerance of [0, 300, Number.MAX_VALUE]) {
      await expectRefusal(
        received('message.received', {}, { now: () => time, tolerance }),
        401,
        reason,
      )
    }
  },
)

test('gives an age or a skew in seconds, never both', () => {
  expect(ageOf('1760000000', NOW + 1500)).toEqual({ age: 1.5, skew: 0 })
  expect(ageOf('1760000000123', NOW)).toEqual({ age: 0, skew: 0.123 })
  expect(ageOf('1760000000', NOW)).toEqual({ age: 0, skew: 0 })
  expect(ageOf('yesterday', NOW)).toBeUndefined()
})

test('judges forms that hold milliseconds at their own edge', async () => {
  for (const edge of ['1760000000001', '2025-10-09T08:53:20.001Z']) {
    expect(() => checkTimestamp(edge, NOW + 300_001, 300)).not.toThrow()
    await expectRefusal(() => checkTimestamp(edge, NOW + 300_002, 300), 401, 'timestamp_too_old')
    expect(() => checkTimestamp(edge, NOW - 299_999, 300)).not.toThrow()
    await expectRefusal(() => checkTimestamp(edge, NOW - 300_000, 300), 401, 'timestamp_in_future')
  }
})

test('quotes a long unreadable timestamp in part, on one line', async () => {
  const long = `line\nbreak${'x'.repeat(1000)}END`
  const { detail } = await expectRefusal(
    () => checkTimestamp(long, NOW, 300),
    401,
    'timestamp_unreadable',
  )
  expect(detail).toContain('line\\nbreak')
  expect(detail).not.toContain('\n')
  expect(detail).not.toContain('END')
})
