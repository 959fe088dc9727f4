import { inspect } from 'node:util'
import { type } from 'arktype'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createReceiver, type Reason, type ReceiverOptions } from '../../src/index.ts'
import {
  type Changes,
  canary,
  type DeliveryName,
  incoming,
  NOW,
  refusalOf,
  signed,
} from '../deliveries.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
})

afterEach(() => {
  vi.restoreAllMocks()
})

const schemas = {
  'message.received': z.object({ status: z.enum(['ok']), text: z.string().max(1) }),
  'message.sent': v.object({ status: v.picklist(['ok']), count: v.number() }),
  'message.failed': type({ status: '"ok"', count: 'number' }),
}

const forgery = 'f0e1d2c3b4a59687'.repeat(4)
const headers = (signature: string) => ({ headers: { 'x-webhook-signature': signature } })

const refusals: readonly (readonly [DeliveryName, Reason, Changes])[] = [
  ['canary message.received', 'schema_mismatch', {}],
  ['canary message.sent', 'schema_mismatch', {}],
  ['canary message.failed', 'schema_mismatch', {}],
  ['canary stale', 'timestamp_too_old', {}],
  ['canary not json', 'body_not_json', {}],
  ['canary not utf-8', 'body_not_utf8', {}],
  ['canary envelope', 'envelope_invalid', {}],
  ['canary events differ', 'envelope_invalid', {}],
  ['canary not json', 'signature_mismatch', headers(`sha256=${forgery}`)],
  ['canary not json', 'signature_malformed', headers(`sha256=${forgery}0`)],
  ['canary not json', 'signature_malformed', headers(`sha256=${forgery.toUpperCase()}`)],
  ['canary not json', 'signature_malformed', headers(`sha256=${forgery}, sha256=${forgery}`)],
  ['canary not json', 'signature_malformed', headers(forgery)],
  ['canary not json', 'timestamp_missing', { headers: { 'x-webhook-timestamp': undefined } }],
  ['canary not json', 'encoding_not_supported', { headers: { 'content-encoding': 'gzip' } }],
  ['canary not json', 'body_too_large', { headers: { 'content-length': '1048577' } }],
  ['canary not json', 'method_not_allowed', { method: 'GET' }],
]

const secrets = {
  alone: canary.secret,
  named: { new: 'whsec_SECRETCANARY_too', old: canary.secret },
  'from a function': async () => canary.secret,
}

const cases = Object.keys(secrets).flatMap((kind) =>
  refusals.map(([name, reason, changes]) => ({ kind, name, reason, changes })),
)

test.each(cases)(
  'tells no one the secret ($kind), the body or the signature: $name, $reason',
  async ({ kind, name, reason, changes }) => {
    const told: unknown[] = []
    const source = Object.entries(secrets).find(([key]) => key === kind)?.[1]
    const create = (options: ReceiverOptions<typeof schemas>) =>
      createReceiver<Request, typeof schemas>(source, { now: () => NOW, schemas, ...options })
    const telling = create({ onRejected: (rejection) => void told.push(rejection) })
    const printing = create({})

    const error = await refusalOf(telling.receive(incoming(name, changes)))
    expect(error.reason).toBe(reason)
    expect(told).toHaveLength(1)
    await refusalOf(printing.receive(incoming(name, changes)))
    const printed = vi.mocked(console.error).mock.calls
    expect(printed).toHaveLength(1)

    const response = error.getResponse()
    const texts = [
      ...told.flatMap(everything),
      ...printed.flatMap((line) => everything(line)),
      ...everything(error),
      ...everything(vi.mocked(console.warn).mock.calls),
      ...everything([...response.headers]),
      await response.text(),
    ]
    expect(leaks(texts, name)).toEqual([])
  },
)

test('tells onAccepted neither secret, content nor signature', async () => {
  const told: unknown[] = []
  const receiver = createReceiver(canary.secret, {
    now: () => NOW,
    onAccepted: (acceptance) => void told.push(acceptance),
  })
  await receiver.receive(incoming('canary message.received'))
  expect(told).toMatchObject([{ secret: { fingerprint: canary.fingerprint } }])
  expect(leaks(told.flatMap(everything), 'canary message.received')).toEqual([])
})

test('tells nothing where the receiver is made or where a secret function fails', async () => {
  const bad = ['SECRETCANARY ', '"SECRETCANARY"', 'SECRETCANARY\n']
  const thrown = bad.flatMap((secret) => [
    ...everything(errorOf(() => createReceiver(secret))),
    ...everything(errorOf(() => createReceiver({ name: secret }))),
  ])
  expect(thrown.join()).toContain('TypeError')
  for (const secret of bad) {
    const receiver = createReceiver(() => secret, { now: () => NOW })
    const error = await refusalOf(receiver.receive(incoming('canary not json')))
    expect(error.reason).toBe('secret_unavailable')
    thrown.push(...everything(error), ...everything(error.cause))
  }
  createReceiver('SECRETCANARY')
  expect(console.warn).toHaveBeenCalled()
  thrown.push(...everything(vi.mocked(console.warn).mock.calls))
  thrown.push(...everything(vi.mocked(console.error).mock.calls))
  expect(leaks(thrown, 'canary not json')).toEqual([])
})

test('would find each of them, however deep and hidden', () => {
  const name = 'canary not json'
  const hidden = Object.defineProperty(new Error('x'), 'detail', { value: 'a BODYCANARY b' })
  const inCause = new Error('x', { cause: { deep: [[[[['SECRETCANARY']]]]] } })
  const bytes = { body: signed(name).body }
  const mac = { at: signed(name).signature.slice(23, 47) }
  for (const leak of [hidden, inCause, bytes, mac, { [forgery]: 1 }]) {
    expect(leaks(everything(leak), name)).not.toEqual([])
  }
})

const whole = { depth: 50, showHidden: true, maxStringLength: null, maxArrayLength: null } as const

/** A value as every way of logging it would show it, and then some. */
function everything(value: unknown): string[] {
  const error = value instanceof Error ? `${value.message} ${value.stack}` : ''
  return [JSON.stringify(value) ?? '', inspect(value, whole).replace(/\s+/g, ' '), error]
}

/** The marks that are in any of the texts, as text, in the bytes of a body, or as any piece of a MAC. */
function leaks(texts: readonly string[], name: DeliveryName): readonly string[] {
  const { signature, body } = signed(name)
  const start = Buffer.from(body.subarray(0, 10))
  const pieces = (mac: string) =>
    Array.from({ length: 4 }, (_, at) => mac.slice(at * 16, at * 16 + 8))
  const marks = [
    'SECRETCANARY',
    'BODYCANARY',
    ...pieces(signature.slice('sha256='.length)),
    ...pieces(forgery),
    ...pieces(forgery.toUpperCase()),
    [...start].join(', '),
    [...start].join(','),
    JSON.stringify(Uint8Array.from(start)).slice(1, -1),
    start.toString('hex'),
    start.toString('base64').slice(0, 12),
  ]
  return marks.filter((mark) => texts.some((text) => text.includes(mark)))
}

function errorOf(attempt: () => unknown): unknown {
  try {
    attempt()
  } catch (error) {
    return error
  }
  return 'NO ERROR'
}
