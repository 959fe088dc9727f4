import { expect, test } from 'vitest'
import { explain } from '../src/explain.ts'
import { type Grounds, REASONS, Refusal } from '../src/refusal.ts'

/** Something that may have been seen, for every reason that a check gives. */
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

const reasons = Object.keys(SEEN) as (keyof Grounds)[]

test.each(reasons)('%s is explained in one line that ends in a full stop', (reason) => {
  const refusal = Reflect.construct(Refusal, [reason, SEEN[reason]])
  const detail = explain(refusal)
  expect(REASONS[reason]).toBeGreaterThanOrEqual(400)
  expect(detail).toMatch(/^[A-Z].*\.$/)
  expect(detail).not.toMatch(/[\n\r]|BODY/)
  expect(detail.length).toBeLessThan(500)
})
