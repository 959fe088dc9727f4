import { describe, expect, test } from 'vitest'
import type { RejectionDetails } from '../../src/reject/details.ts'
import { explainRefusal } from '../../src/reject/explanation.ts'
import { REASONS } from '../../src/reject/reasons.ts'
import { Refusal } from '../../src/reject/refusal.ts'

/** What may have been seen, for every reason that a check gives. */
const SEEN: { readonly [Why in keyof RejectionDetails]: RejectionDetails[Why] } = {
  method_not_allowed: { method: 'BREW\nX'.repeat(20) },
  signature_missing: undefined,
  signature_malformed: { value: 'x'.repeat(8000) },
  timestamp_missing: undefined,
  encoding_not_supported: { coding: 'gz\nip'.repeat(100) },
  body_too_large: { limit: 10, announced: '9'.repeat(8000) },
  secret_unavailable: undefined,
  body_already_read: { by: 'by someone', advice: 'Do not.' },
  body_incomplete: {},
  body_timeout: { received: 7, seconds: 30 },
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
const OTHERWISE: readonly (readonly [
  keyof RejectionDetails,
  RejectionDetails[keyof RejectionDetails],
  unknown?,
])[] = [
  ['signature_malformed', { value: `sha256=${'A'.repeat(64)}` }],
  ['signature_malformed', { value: `sha256=${'\n'.repeat(64)}` }],
  ['signature_malformed', { value: 'sha256=BODY, BODY' }],
  ['body_too_large', { limit: 10, received: 11 }],
  ['body_too_large', { limit: 10 }],
  ['secret_unavailable', undefined, new Error('vault is sealed')],
  ['secret_unavailable', undefined, new Error('sealed\n'.repeat(1000))],
  ['secret_unavailable', undefined, 'BODY'],
  ['secret_unavailable', { seconds: 10 }],
  ['schema_failed', { event: 'a', seconds: 10 }],
  ['body_incomplete', { received: 7 }],
  ['body_not_json', { text: '' }],
  ['body_not_json', { text: '\uFEFFBODY' }],
  ['envelope_invalid', { field: '"data.event"', wanted: 'the same as "event"' }],
  ['envelope_invalid', { field: 'the body', wanted: 'an object', value: ['BODY'] }],
]

/** What no check gives: their errors are made where they are thrown. */
const OTHERS = [
  'delivery_missing',
  'handler_failed',
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
  const detail = explainRefusal(Reflect.construct(Refusal, seen), [])
  expect(detail).toMatch(/^[A-Z].*\.$/)
  expect(detail).not.toMatch(/[\n\r]|BODY|undefined/)
  expect(detail.length).toBeLessThan(500)
})

test('a run of line breaks in a text of others becomes one space', () => {
  const cause = new Error('vault\r\n\u2028 is\n\nsealed')
  const detail = explainRefusal(new Refusal('secret_unavailable', undefined, cause), [])
  expect(detail).toContain('failed: vault  is sealed.')
})

test.each([
  ['a function', () => 'BODY', '(function)'],
  ['the function of a segment', { key: () => 'BODY' }, '(function)'],
  ['an object', { a: 'BODY' }, '(object)'],
  ['null', { key: null }, '(null)'],
  ['a symbol', Symbol('text'), 'Symbol(text)'],
  ['a number', 0, '0'],
])('a step of an issue’s path that is %s is named without its value', (_, step, reported) => {
  const details = { event: 'a', vendor: 'own', issues: [{ path: ['items', step] }] }
  const detail = explainRefusal(new Refusal('schema_refused', details), [])
  expect(detail).toContain(`at data.data.items.${reported}.`)
})

describe('of the secrets that were tried', () => {
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ name: `s${at}`, fingerprint: `0000000${at}` }))
  const reported = (count: number) =>
    explainRefusal(new Refusal('signature_mismatch', { length: 3 }), numbered(count))

  test('up to five are told by name and fingerprint', () => {
    expect(reported(5)).toContain('"s3" (SHA-256 begins 00000003), "s4" (SHA-256 begins 00000004).')
  })

  test('more than five are told by their number', () => {
    expect(reported(8)).toContain('"s4" (SHA-256 begins 00000004), and 3 more.')
    expect(reported(8)).not.toContain('"s5"')
  })
})
