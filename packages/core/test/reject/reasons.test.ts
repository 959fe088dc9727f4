import { expect, test, vi } from 'vitest'
import type { Reason } from '../../src/index.ts'
import { REASONS } from '../../src/internal.ts'
import type { Status } from '../../src/reject/reasons.ts'
import { rejection, type Seen } from '../../src/reject/rejection.ts'
import { createStderrReport } from '../../src/reject/stderr-report.ts'

/** What may have been seen, for every reason. */
const SEEN: { readonly [Given in Reason]: Seen<Given> } = {
  method_not_allowed: { method: 'BREW\nX'.repeat(20) },
  check_rejected: { what: 'the token is another one' },
  signature_missing: { header: 'X-Signature' },
  signature_malformed: { header: 'X-Signature', expected: 'base64', fault: 'it is empty' },
  timestamp_missing: { header: 'X-Timestamp' },
  encoding_not_supported: { coding: 'gz\nip'.repeat(100) },
  body_too_large: { limit: 10, announced: '9'.repeat(8000) },
  secret_unavailable: undefined,
  subscription_unknown: { subscription: 'sub\n'.repeat(100) },
  subscription_ended: undefined,
  url_unavailable: undefined,
  key_unavailable: { option: 'duplicates' },
  body_already_read: { by: 'by someone', advice: 'Do not.' },
  body_incomplete: {},
  body_timeout: { received: 7, seconds: 30 },
  body_budget_full: { most: 67_108_864 },
  signature_mismatch: { length: 3, secrets: [] },
  token_rejected: { what: 'its audience (aud) is "x"' },
  timestamp_unreadable: { header: 'X-Timestamp', timestamp: 'now\n'.repeat(100), forms: 'a time' },
  timestamp_too_old: { seconds: 301, tolerance: 300 },
  timestamp_in_future: { seconds: 301, tolerance: 300 },
  body_not_utf8: undefined,
  body_not_json: { text: 'BODY' },
  body_too_deep: { limit: 64 },
  envelope_invalid: { field: '"id"', expected: 'a string', value: 'BODY' },
  schema_mismatch: { event: 'a\nb', vendor: 'zod', issues: [{ path: ['x\ny', null, { key: 1 }] }] },
  schema_rejected: { event: 'a', vendor: 'zod', issues: [{}] },
  schema_failed: { event: 'a' },
  delivery_missing: { where: 'this request', advice: 'Mount it.' },
  handler_failed: undefined,
  delivery_in_progress: { wait: 3 },
  store_unavailable: {
    fault: 'failed: ECONNREFUSED',
    consequence: 'Nothing ran.',
    advice: 'Look.',
  },
  lease_lost: { how: 'it expired', lease: 30 },
  handler_timeout: { seconds: 25 },
  handler_abandoned: { seconds: 900 },
}

const reasons = Object.keys(REASONS) as Reason[]

/** The sentence of a reason, as the table has it. */
function sentence(reason: Reason, seen: unknown, cause?: unknown): string {
  return Reflect.apply(rejection, undefined, [reason, seen, { cause }]).detail
}

const cases: readonly (readonly [Reason, unknown, unknown?])[] = [
  ...reasons.map((reason) => [reason, SEEN[reason]] as const),
  ['body_too_large', { limit: 10, received: 11 }],
  ['body_too_large', { limit: 10, received: 11 }, new Error('413')],
  ['secret_unavailable', undefined, new Error('vault is sealed')],
  ['secret_unavailable', undefined, new Error('sealed\n'.repeat(1000))],
  ['secret_unavailable', { seconds: 10 }],
  [
    'timestamp_unreadable',
    { header: "The body's /time", timestamp: 'BODY', kind: 'a string', forms: 'a time' },
  ],
  ['timestamp_in_future', { seconds: 90, says: 'becomes valid' }],
  ['timestamp_in_future', { seconds: 1e9, tolerance: 300, now: 1_795_367_679 }],
  ['key_unavailable', { option: 'endpoint' }, new Error('no such tenant')],
  ['signature_missing', { header: 'X-Signature', other: ['svix-signature', 'svix'] }],
  ['schema_failed', { event: 'a', seconds: 10 }],
  ['schema_failed', { event: 'customer.subscription.created' }, new TypeError('BODY')],
  [
    'signature_mismatch',
    {
      length: 261,
      secrets: [{ name: undefined, fingerprint: '3dbf74ad' }],
      lately: { count: 1000, seconds: 60 },
    },
  ],
  ['delivery_in_progress', { wait: 30 }],
  ['signature_mismatch', { length: 3, secrets: [], lately: { count: 0, seconds: 720 } }],
  ['body_incomplete', { received: 7 }],
  ['body_not_json', { text: '\uFEFFBODY' }],
  ['body_not_json', { text: '\uFEFF<?xml version="1.0"?><BODY/>' }],
  ['envelope_invalid', { field: '"data.event"', expected: 'the same as "event"' }],
  ['envelope_invalid', { field: 'the body', expected: 'an object', value: ['BODY'] }],
  ['handler_failed', undefined, new Error('BODY')],
]

const rows = cases.map(([reason, seen, cause]) => ({ reason, seen, cause }))

test.each(rows)(
  '$reason has sentences, of which a line of 160 characters has a whole one',
  (row) => {
    const { reason, seen, cause } = row
    const detail = sentence(reason, seen, cause)
    expect(detail).toMatch(/^[A-Z].*\.$/)
    expect(detail).not.toMatch(/[\n\r]|BODY|undefined|\.\./)
    expect(detail.length).toBeLessThan(500)
    const { status } = REASONS[reason]
    const isHandled = 'handling' in REASONS[reason]
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const remote = isHandled ? {} : { address: '203.0.113.7' }
    createStderrReport(() => 0)({
      ...{ status, reason, detail, remote },
      ...(isHandled
        ? { endpoint: 'stripe', event: 'customer.created', id: `evt_${'1'.repeat(24)}` }
        : { endpoint: 'discord-interactions' }),
    })
    const [line = '', page] = String(log.mock.calls[0]?.[0]).split(' https:')
    log.mockRestore()
    expect(line.length).toBeLessThanOrEqual(160)
    // The message of somebody else's error may have any length.
    if (!(cause instanceof Error)) expect(line).toMatch(/[.?]$/)
    const isExamined = status === 401 && reason !== 'token_rejected'
    expect(page).toMatch(new RegExp(`/${isExamined ? 'debugger' : 'errors'}#${reason}$`))
  },
)

test.each(reasons)('%s says whose fault it is', (reason) => {
  const { status, fault }: { status: Status; fault: string } = REASONS[reason]
  // What this receiver alone can be blamed for is retried, except where the application chose 422.
  if (fault === 'receiver') expect([422, 500, 503]).toContain(status)
  else expect(status).toBeLessThan(500)
})

test('a value of the sender is quoted in part, with control characters escaped', () => {
  const quoting = (coding: string) => sentence('encoding_not_supported', { coding })
  expect(quoting('a\nb')).toContain('"a\\nb"')
  expect(quoting('x'.repeat(20))).toContain(`"${'x'.repeat(20)}",`)
  expect(quoting('x'.repeat(21))).toContain(`"${'x'.repeat(20)}…",`)
  const method = 'X'.repeat(21)
  expect(sentence('method_not_allowed', { method })).toContain(` is ${method.slice(1)}, `)
})

test('of the secrets that were tried, five are listed with name and fingerprint, and more are counted', () => {
  const reported = (count: number) => {
    const secrets = Array.from({ length: count }, (_, at) => ({
      name: `s${at}`,
      fingerprint: `0000000${at}`,
    }))
    return sentence('signature_mismatch', { length: 3, secrets })
  }
  expect(reported(5)).toContain('"s3" (00000003), "s4" (00000004). Compare with')
  expect(reported(8)).toContain('"s4" (00000004), and 3 more. Compare with')
})

test.each([
  ['body_timeout', { received: 1, seconds: 30 }, 'only 1 byte had'],
  ['body_incomplete', { received: 1 }, 'after 1 byte:'],
  ['body_too_large', { limit: 10, received: 2 }, 'after 2 bytes:'],
] as const)('%s counts bytes: %j', (reason, seen, words) => {
  const cause = reason === 'body_too_large' ? new Error('413') : undefined
  expect(sentence(reason, seen, cause)).toContain(words)
})

test('making a rejection leaves the stacks of the application as they were', () => {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 7
  rejection('body_not_utf8')
  expect(Error.stackTraceLimit).toBe(7)
  Error.stackTraceLimit = stackTraceLimit
})
