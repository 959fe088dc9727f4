import { serialize } from 'node:v8'
import { expect, it } from 'vitest'
import { createJournal, type Delivery, pack } from '../src/journal.ts'

const HEAD = { method: 'POST', httpVersion: '1.1' }
const ABOUT = { origin: 'received', at: 0, event: '', instance: '', id: '', target: 't' } as const
const LIMIT = 1_000_000

const long = 'x'.repeat(20_000)
const headers = Array.from({ length: 2000 }, (_, index) => [`a${index}`, 'b'] as const)

/** Everything that a journal keeps, as Node itself writes it down. */
function kept(deliveries: readonly Delivery[]) {
  return deliveries.reduce((sum, delivery) => sum + serialize(delivery).length, 0)
}

it.each<[string, object, object, object?, string?]>([
  ['bodies', { body: Buffer.from(long) }, {}],
  ['headers', { headers }, {}],
  ['targets', { target: `/${long}` }, {}],
  ['notes', {}, { note: long }],
  ['events', {}, { event: long }],
  ['responses', {}, {}, { body: long, headers }],
  ['verdicts', {}, {}, {}, long],
  ['nothing but themselves', {}, {}],
])('keeps less than `maxBytes` of %s', (_, request, about, response = {}, detail = '') => {
  const journal = createJournal({ history: 100_000, maxBytes: LIMIT }, () => {})
  for (let n = 0; n < 3000; n++) {
    const delivery = journal.add({ ...ABOUT, note: undefined, ...about })
    const wire = { ...HEAD, target: '/', headers: [], body: Buffer.of(), ...request }
    const attempt = journal.addAttempt(delivery, wire, 0)
    const none = { status: 401, headers: [], body: '', error: undefined, duration: 1 }
    attempt.response = pack({ ...none, ...response })
    attempt.verdict = { valid: false, status: 401, reason: 'x', detail }
    journal.changed(delivery)
  }
  const { first, bytes, total } = journal.counts()
  const deliveries = journal.changesAfter(0, total)
  expect(deliveries.map(({ n }) => n)).toEqual(
    Array.from({ length: total - first + 1 }, (_, index) => first + index),
  )
  expect(bytes).toBeLessThanOrEqual(LIMIT)
  expect(bytes).toBeGreaterThan(LIMIT / 2)
  expect(kept(deliveries)).toBeLessThanOrEqual(bytes)
})

it('keeps the newest delivery, however large it is', () => {
  const journal = createJournal({ history: 1, maxBytes: 1 }, () => {})
  journal.add({ ...ABOUT, note: undefined })
  expect(journal.get(1)).toBeDefined()
})
