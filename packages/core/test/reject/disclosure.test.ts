import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import {
  createDeliveryHandler,
  createReceiver,
  memoryStore,
  type Reason,
  type ReceiverOptions,
} from '../../src/index.ts'
import {
  type Changes,
  canary,
  type DeliveryName,
  expectRejection,
  incoming,
  NOW,
  rejectionOf,
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
}

const forgery = 'f0e1d2c3b4a59687'.repeat(4)
const headers = (signature: string) => ({ headers: { 'x-webhook-signature': signature } })

const rejections: readonly (readonly [DeliveryName, Reason, Changes])[] = [
  ['canary message.received', 'schema_mismatch', {}],
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

// `npm run break -- canary` looks for the same in all that comes out of each adapter, with every vector, and with secrets that are
// invalid, named or from a function. This runs on each MAC backend and on each runtime.
test.each(rejections)(
  'what is rejected is shown without the secret, the body or the signature: %s, %s',
  async (name, reason, changes) => {
    const shown: unknown[] = []
    const create = (options: ReceiverOptions<typeof schemas>) =>
      createReceiver<Request, typeof schemas>(canary.secret, {
        now: () => NOW,
        schemas,
        ...options,
      })
    const hooked = create({ onRejected: (rejection) => void shown.push(rejection) })

    const error = await rejectionOf(hooked.receive(incoming(name, changes)))
    expect(error.reason).toBe(reason)
    expect(shown).toHaveLength(1)
    await rejectionOf(create({}).receive(incoming(name, changes)))
    const printed = vi.mocked(console.error).mock.calls
    expect(printed).toHaveLength(1)

    const response = error.getResponse()
    const texts = [
      ...[...shown, ...printed, error, [...response.headers]].flatMap(everything),
      await response.text(),
    ]
    expect(leaks(texts, name)).toEqual([])
  },
)

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

test('what a driver keeps in its error is not in the line of a store that failed', async () => {
  const own = { detail: 'Key (email)=(MARK) already exists.', where: 'MARK', config: 'MARK' }
  const cause = Object.assign(new Error('the driver'), own)
  const store = Object.assign(memoryStore(), {
    claim: () => Promise.reject(Object.assign(new Error('no store', { cause }), own)),
  })
  const { delivery } = await createReceiver(canary.secret, {
    now: () => NOW,
  }).receive(incoming('canary message.received'))
  const handle = createDeliveryHandler({ any() {} }, { store })
  await expectRejection(handle(delivery), 503, 'store_unavailable')
  const printed = vi.mocked(console.error).mock.calls
  expect(printed).toEqual([[expect.stringMatching(/503 store_unavailable.*failed: no store\./)]])
  expect(String(printed)).not.toContain('MARK')
})
