import { describe, expect, test } from 'vitest'
import { coverageOf } from '../src/engine/coverage.ts'
import type { Part, SchemeValue } from '../src/value.ts'
import { ALL } from './vectors.ts'

test('what each signature leaves open is as in the documentation of its service', () => {
  const open = ALL.map(({ name, unsigned = [], ambiguous, tolerance }) => [
    name,
    unsigned.join(' '),
    ambiguous,
    tolerance,
  ])
  const none = Number.POSITIVE_INFINITY
  expect(open).toEqual([
    ['adyen-platform', '', false, none],
    ['anthropic', '', false, 300],
    ['asana', '', false, none],
    ['bitbucket', 'id event', false, none],
    ['box', '', false, 600],
    ['clerk', '', false, 300],
    ['coinbase-commerce', '', false, none],
    ['creem', '', false, 300],
    ['creem-legacy', '', false, none],
    ['discord-events', '', false, none],
    ['discord-interactions', '', false, none],
    ['docusign', '', false, none],
    ['dodo', '', false, 300],
    ['dropbox', '', false, none],
    ['elevenlabs', '', false, 1800],
    ['github', 'id event', false, none],
    ['gitlab', '', false, 300],
    ['gocardless', '', false, none],
    ['hubspot', '', false, 300],
    ['jira', 'id', false, none],
    ['lemon-squeezy', '', false, none],
    ['line', '', false, none],
    ['linear', 'id', false, 28_800],
    ['liveblocks', '', false, 300],
    ['lovable', '', false, 300],
    ['mcp-events', '', false, 300],
    ['meta', '', false, none],
    ['mollie', '', false, none],
    ['mux', '', false, 300],
    ['nango', '', false, none],
    ['notion', '', false, none],
    ['openai', '', false, 300],
    ['paddle', '', false, none],
    ['pagerduty', '', false, none],
    ['paystack', '', false, none],
    ['polar', '', false, 300],
    ['polar-legacy', '', false, 300],
    ['pusher', '', false, none],
    ['quickbooks', '', false, none],
    ['razorpay', 'id', false, none],
    ['replicate', '', false, 300],
    ['resend', '', false, 300],
    ['retell', '', false, 300],
    ['sanity', 'id', false, none],
    ['sendgrid', '', false, none],
    ['sentry', 'id event', false, none],
    ['shopify', 'id event', false, none],
    ['slack', '', false, 300],
    ['square', '', false, none],
    ['standard-webhooks', '', false, 300],
    ['stream', 'id', false, none],
    ['stripe', '', false, 300],
    ['supabase', '', false, 300],
    ['svix', '', false, 300],
    ['telnyx', '', false, 300],
    ['twilio', 'id event body path query', true, none],
    ['twitch', '', false, 600],
    ['webflow', '', false, 300],
    ['wise', 'id', false, none],
    ['workos', '', false, 180],
    ['zoom', '', false, none],
  ])
})

describe('whether parts can be cut differently', () => {
  const header: Part = { header: 'x-id' }
  const dot: Part = { text: '.' }
  const cases: readonly (readonly [boolean, readonly [Part, ...Part[]]])[] = [
    [false, ['body']],
    [false, ['timestamp', 'body']],
    [false, ['body', 'timestamp']],
    [false, [header, dot, 'timestamp', 'body']],
    [false, ['body', dot, header]],
    [false, [header, dot, 'body', dot, header]],
    [false, ['url', 'body']],
    [true, [header, 'body']],
    [false, [header, 'timestamp', 'body']],
    [true, [header, 'timestamp', header, 'body']],
    [true, ['body', header, 'timestamp']],
    [true, ['body', header]],
    [true, ['url', dot, 'body']],
    [false, ['body', 'url']],
    [true, ['body', 'url', header]],
    [true, ['url', 'form']],
  ]
  test('a header in front of a form', () => {
    const signed = [header, dot, 'body'] as const
    expect(coverageOf(valueWith({ signed, body: 'form' })).ambiguous).toBe(true)
    expect(coverageOf(valueWith({ signed, body: 'json or form' })).ambiguous).toBe(true)
  })

  test.each(cases)('%s: %j', (ambiguous, signed) => {
    expect(coverageOf(valueWith({ signed })).ambiguous).toBe(ambiguous)
  })
})

test('a form can begin like the end of a URL', () => {
  const signed = ['url', 'body'] as const
  for (const body of ['form', 'json or form'] as const) {
    expect(coverageOf(valueWith({ signed, body }))).toMatchObject({
      ambiguous: true,
      unsigned: ['body', 'path', 'query'],
    })
  }
})

describe('what is unsigned', () => {
  const header = { header: 'x-id' }
  const pointer = { pointer: '/id' }
  const timestamp = { at: { header: 'x-time' }, unit: 's' } as const
  test.each<[string, Partial<SchemeValue>]>([
    ['', { id: [pointer], event: [pointer] }],
    ['id', { id: [header] }],
    ['id', { id: [pointer, header] }],
    ['', { id: [pointer, { header: 'x-signature' }] }],
    ['', { id: [header], signed: [header, { text: '.' }, 'body'] }],
    ['id body', { id: [header], signed: [header, 'body'] }],
    ['timestamp', { timestamp }],
    ['', { timestamp, signed: ['timestamp', 'body'] }],
    ['', { timestamp: { at: pointer, unit: 'ms' } }],
  ])('"%s" of %j', (unsigned, value) => {
    expect(coverageOf(valueWith(value)).unsigned.join(' ')).toBe(unsigned)
  })
})

function valueWith(value: Partial<SchemeValue>): SchemeValue {
  return {
    name: 'acme',
    checked: '2026-11-23',
    signature: { header: 'x-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    signed: ['body'],
    ...value,
  }
}
