import { describe, expect, test } from 'vitest'
import { ageOf } from '../../src/verify/age.ts'
import { type DeliveryName, expectRejection, NOW, received } from '../deliveries.ts'

const forms: readonly DeliveryName[] = ['message.received', 'milliseconds', 'rfc 3339', 'http-date']

describe.each(forms)('a delivery with its timestamp as in "%s"', (name) => {
  const at = (offset: number, tolerance?: number) =>
    received(name, {}, { now: () => NOW + offset, ...(tolerance !== undefined && { tolerance }) })

  test.each([0, 1, 299_999, 300_000, -1, -299_999, -300_000])(
    'is accepted %d ms after the timestamp',
    async (offset) => {
      expect((await at(offset)).delivery.event).toBe('message.received')
    },
  )

  test('is rejected 300.001 s after it or ahead of it', async () => {
    await expectRejection(at(300_001), 401, 'timestamp_too_old')
    const { detail } = await expectRejection(at(-300_001), 401, 'timestamp_in_future')
    expect(detail).toContain(
      '5 minutes 0.001 seconds in the future; the receiver accepts at most 5 minutes',
    )
  })

  test('has to be nothing where the tolerance is 0', async () => {
    expect((await at(0, 0)).delivery.known).toBe(true)
    await expectRejection(at(1, 0), 401, 'timestamp_too_old')
    await expectRejection(at(-1, 0), 401, 'timestamp_in_future')
  })

  test('can be a fraction of a second', async () => {
    expect((await at(500, 0.5)).delivery.known).toBe(true)
    await expectRejection(at(501, 0.5), 401, 'timestamp_too_old')
  })

  test('does not matter where the tolerance is Infinity', async () => {
    expect((await at(1e12, Number.POSITIVE_INFINITY)).delivery.known).toBe(true)
    expect((await at(-1e12, Number.POSITIVE_INFINITY)).delivery.known).toBe(true)
  })
})

test('rejects a signed timestamp of no known form: 401 timestamp_unreadable', async () => {
  const error = await expectRejection(received('unreadable timestamp'), 401, 'timestamp_unreadable')
  expect(error.detail).toContain('"yesterday"')
  await expectRejection(received('latin-1 timestamp'), 401, 'timestamp_unreadable')
})

test('accepts any form where the tolerance is Infinity', async () => {
  const tolerance = Number.POSITIVE_INFINITY
  for (const name of ['unreadable timestamp', 'latin-1 timestamp'] as const) {
    expect((await received(name, {}, { tolerance })).delivery.event).toBe('message.received')
  }
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  'rejects where the clock returns %d, whatever the finite tolerance',
  async (time) => {
    const reason = time < 0 ? 'timestamp_in_future' : 'timestamp_too_old'
    for (const tolerance of [0, 300, Number.MAX_VALUE]) {
      await expectRejection(
        received('message.received', {}, { now: () => time, tolerance }),
        401,
        reason,
      )
    }
  },
)

test('is an age or a skew in seconds, never both', () => {
  expect(ageOf(NOW, NOW + 1500)).toEqual({ age: 1.5, skew: 0 })
  expect(ageOf(NOW + 123, NOW)).toEqual({ age: 0, skew: 0.123 })
  expect(ageOf(NOW, NOW)).toEqual({ age: 0, skew: 0 })
})

test.each([
  [300_001, 'signed 5 minutes 0.001 seconds ago; the receiver accepts at most 5 minutes'],
  [301_000, 'signed 5 minutes 1 second ago;'],
  [360_000, 'signed 6 minutes ago;'],
  [7_260_000, 'signed 2 hours 1 minute ago;'],
  [86_400_000, 'signed 1 day ago;'],
  [
    95_367_747_575,
    'signed 3 years ago; the receiver accepts at most 5 minutes (tolerance: 300 s).',
  ],
])('says in the words of people how old a delivery of %d ms is', async (age, sentence) => {
  const attempt = received('message.received', {}, { now: () => NOW + age })
  const { detail } = await expectRejection(attempt, 401, 'timestamp_too_old')
  expect(detail).toContain(sentence)
})

test.each([
  [0, 'signed 0.5 seconds ago; the receiver accepts at most 0 seconds'],
  [0.25, 'the receiver accepts at most 0.25 seconds (tolerance: 0.25 s).'],
])('says a tolerance of %d s in the words of people', async (tolerance, sentence) => {
  const attempt = received('message.received', {}, { now: () => NOW + 500, tolerance })
  const { detail } = await expectRejection(attempt, 401, 'timestamp_too_old')
  expect(detail).toContain(sentence)
})
