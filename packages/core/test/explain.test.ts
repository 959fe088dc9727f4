import { expect, test } from 'vitest'
import { explain } from '../src/explain.ts'
import { type Grounds, REASONS, Refusal } from '../src/refusal.ts'

/** What may have been seen, for every reason that a check gives. */
const SEEN: { readonly [Why in keyof Grounds]: Grounds[Why] } = {
  method_not_allowed: { method: 'BREW\nX'.repeat(20) },
  signature_missing: undefined,
  signature_malformed: { value: 'x'.repeat(8000) },
  timestamp_missing: undefined,
  encoding_not_supported: { coding: 'gz\nip'.repeat(100) },
  body_too_large: { limit: 10, announced: '11' },
  secret_unavailable: undefined,
  body_already_read: { by: 'by someone', advice: 'Do not.' },
  body_incomplete: {},
  signature_mismatch: { length: 3 },
  timestamp_unreadable: { timestamp: 'now\n'.repeat(100) },
  timestamp_too_old: { seconds: 301, tolerance: 300 },
  timestamp_in_future: { seconds: 301, tolerance: 300 },
  body_not_utf8: undefined,
  body_not_json: { text: 'BODY' },
  body_too_deep: { limit: 64 },
  envelope_invalid: { field: '"id"', wanted: 'a string', value: 'BODY' },
  schema_mismatch: { event: 'a\nb', vendor: 'zod', issues: [{ path: ['x\ny', null, { key: 1 }] }] },
  schema_refused: { event: 'a', vendor: 'zod', issues: [{}] },
  schema_failed: { event: 'a' },
}

/** The same reasons, where what was seen takes other words. */
const OTHERWISE: readonly (readonly [keyof Grounds, Grounds[keyof Grounds], unknown?])[] = [
  ['signature_malformed', { value: `sha256=${'A'.repeat(64)}` }],
  ['signature_malformed', { value: `sha256=${'\n'.repeat(64)}` }],
  ['signature_malformed', { value: 'sha256=BODY, BODY' }],
  ['body_too_large', { limit: 10, received: 11 }],
  ['body_too_large', { limit: 10 }],
  ['secret_unavailable', undefined, new Error('vault is sealed')],
  ['secret_unavailable', undefined, 'BODY'],
  ['body_incomplete', { received: 7 }],
  ['body_not_json', { text: '' }],
  ['body_not_json', { text: '\uFEFFBODY' }],
  ['envelope_invalid', { field: '"data.event"', wanted: 'the same as "event"' }],
  ['envelope_invalid', { field: 'the body', wanted: 'an object', value: ['BODY'] }],
]

/** What no check gives: their errors are made where they are thrown. */
const OTHERS = [
  'delivery_missing',
  'delivery_in_progress',
  'store_unavailable',
  'lease_lost',
  'handler_timeout',
]

const cases = [...Object.entries(SEEN), ...OTHERWISE]

test('every reason is explained here, but those that no check gives', () => {
  expect([...Object.keys(SEEN), ...OTHERS].toSorted()).toEqual(Object.keys(REASONS).toSorted())
})

test.each(cases)('%s is explained in one line that ends in a full stop', (...seen) => {
  const detail = explain(Reflect.construct(Refusal, seen))
  expect(detail).toMatch(/^[A-Z].*\.$/)
  expect(detail).not.toMatch(/[\n\r]|BODY/)
  expect(detail.length).toBeLessThan(500)
})
