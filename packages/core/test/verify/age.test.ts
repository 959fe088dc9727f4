import { expect, test } from 'vitest'
import { ageOf } from '../../src/verify/age.ts'
import { expectRejection, NOW, received, rejectionOf } from '../deliveries.ts'

test('rejects a signed timestamp of no known form: 401 timestamp_unreadable', async () => {
  const attempt = received('unreadable timestamp')
  const { detail } = await expectRejection(attempt, 401, 'timestamp_unreadable')
  expect(detail).toMatch(/^X-Webhook-Timestamp is "yesterday": it should be 10 or 13 digits, .*\./)
  await expectRejection(received('latin-1 timestamp'), 401, 'timestamp_unreadable')
})

test('accepts any timestamp where the tolerance is Infinity', async () => {
  const tolerance = Number.POSITIVE_INFINITY
  for (const name of ['message.received', 'unreadable timestamp', 'latin-1 timestamp'] as const) {
    for (const offset of [1e12, -1e12]) {
      const { delivery } = await received(name, {}, { tolerance, now: () => NOW + offset })
      expect(delivery.event).toBe('message.received')
    }
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

test.each([
  ['seconds', NOW / 1000, '1970-01-21'],
  ['the time since the process began', 1234.5, '1970-01-01'],
  ['a promise', Promise.resolve(NOW), '[object Promise]'],
])('names a clock that returns %s', async (_, time, says) => {
  const attempt = received('message.received', {}, { now: () => time as number })
  const { detail } = await rejectionOf(attempt)
  expect(detail).toMatch(`The clock here says ${says}: let \`now\` return milliseconds`)
})

test('what was signed ahead of the clock has a skew and no age', () => {
  expect(ageOf(NOW + 123, NOW)).toEqual({ age: 0, skew: 0.123 })
})

test.each([
  [300_001, 300, '300.001 s old (tolerance 300 s). Check the clock'],
  [7_260_000, 300, '2 hours old ('],
  [3_599_400, 300, '1 hour old ('],
  [95_367_747_575, 300, '3 years old (tolerance 300 s)'],
  [500, 0, '0.5 s old (tolerance 0 s)'],
  [-300_001, 300, 'signed 300.001 s in the future (tolerance 300 s): check both clocks.'],
])(
  'says an age of %d ms in the words of people, with a tolerance of %d s',
  async (age, tolerance, sentence) => {
    const attempt = received('message.received', {}, { now: () => NOW + age, tolerance })
    const reason = age > 0 ? 'timestamp_too_old' : 'timestamp_in_future'
    expect((await expectRejection(attempt, 401, reason)).detail).toContain(sentence)
  },
)
