import { bodyScheme } from '@webhook-receiver/suites'
import { describe, expect, test, vi } from 'vitest'
import { createReceiver, type Reason, webhookHandler } from '../../src/index.ts'
import { contract } from '../../src/internal.ts'
import {
  type DeliverOptions,
  deliverTo,
  type PreparedDelivery,
  prepareDelivery,
  signDelivery,
} from '../../src/testing/index.ts'
import type { Tampering } from '../../src/testing/tamper.ts'
import { expectRejection } from '../deliveries.ts'

const secret = 'whsec_prepared'
const receiver = createReceiver(secret, { onRejected: false })

const received = ({ path, ...init }: PreparedDelivery) =>
  receiver.receiveRequest(new Request(`http://localhost${path}`, { method: 'POST', ...init }))

test('the content of a delivery is put into its envelope where the contract is given as its scheme', async () => {
  const signing = { scheme: contract, event: 'message.read' }
  const signed = await signDelivery(secret, { by: 'Zoë' }, signing)
  const { delivery } = await received({ path: '/webhooks', ...signed })
  expect(delivery).toMatchObject({ event: 'message.read', data: { data: { by: 'Zoë' } } })
})

test('a Buffer is a whole body, also where it is a Uint8Array of another realm, as with jsdom', async () => {
  vi.stubGlobal('Uint8Array', class extends Uint8Array {})
  const { body } = await signDelivery(secret, Buffer.from('{}'))
  expect(new TextDecoder().decode(body)).toBe('{}')
})

test('has the content, the instance, the clock and the timestamp that it is given', async () => {
  const now = () => 1_767_225_600_000
  const given = { secret, instanceId: 'inst_9' }
  const { headers, body } = await prepareDelivery('message.read', {}, { ...given, now })
  expect(headers['x-webhook-timestamp']).toBe('1767225600')
  expect(new TextDecoder().decode(body)).toContain('"created_at":"2026-01-01T00:00:00.000Z"')
  const timestamp = new Date().toISOString()
  const prepared = await prepareDelivery('message.read', { by: 'Zoë' }, { ...given, timestamp })
  const { delivery, verification } = await received(prepared)
  expect(delivery.data).toMatchObject({ instance_id: 'inst_9', data: { by: 'Zoë' } })
  expect(verification.timestamp).toBe(timestamp)
})

test.each<[Tampering, Reason]>([
  ['body', 'signature_mismatch'],
  ['alter', 'signature_mismatch'],
  ['wrong-secret', 'signature_mismatch'],
  ['stale', 'timestamp_too_old'],
  ['future', 'timestamp_in_future'],
])('tampered by %s, it is rejected: %s', async (tamper, reason) => {
  const prepared = await prepareDelivery('message.read', {}, { secret, tamper })
  await expectRejection(received(prepared), 401, reason)
  expect(JSON.parse(new TextDecoder().decode(prepared.body))).toBeTypeOf('object')
})

describe('the secret', () => {
  test('is WEBHOOK_SECRET unless another is given', async () => {
    vi.stubEnv('WEBHOOK_SECRET', secret)
    await received(await prepareDelivery('message.read'))
    const other = await prepareDelivery('message.read', {}, { secret: 'whsec_other' })
    await expectRejection(received(other), 401, 'signature_mismatch')
  })

  test('is a TypeError where WEBHOOK_SECRET is empty and none is given', async () => {
    vi.stubEnv('WEBHOOK_SECRET', '')
    const prepared = prepareDelivery('message.read')
    await expect(prepared).rejects.toThrow(TypeError)
    await expect(prepared).rejects.toThrow('Set WEBHOOK_SECRET, or pass')
  })
})

const application = webhookHandler(secret, () => expect.unreachable(), { onRejected: false })

test.each([
  ['no application', ['message.read', {}, { secret }], 'The first argument should be what takes'],
  ['no event', [application, undefined, {}, { secret }], 'The event should be a name'],
  ['a secret in place of the event', [application, secret, {}], 'and the secret an option'],
  ['data that is a text', [application, 'message.read', 'hello'], 'The data should be an object'],
  ...(
    [
      ['a misspelt option', { secert: 'x' }, 'There is no option "secert"'],
      ['a path without a slash', { path: 'x' }, '`path` should be a path that begins with a slash'],
      ['a time', { now: 1 }, '`now` should be a function that returns'],
      [
        'an old timestamp of a service that signs none',
        { scheme: bodyScheme, tamper: 'stale' },
        'body signs no timestamp',
      ],
      [
        'an unknown tampering',
        { tamper: 'x' },
        "should be 'body', 'wrong-secret', 'stale', 'future' or 'alter'",
      ],
    ] as const
  ).map(([what, options, message]): [string, unknown[], string] => [
    what,
    [application, 'message.read', {}, { secret, ...options }],
    message,
  ]),
])('%s is a TypeError of deliverTo', async (_, args, message) => {
  const delivering: Promise<unknown> = Reflect.apply(deliverTo, undefined, args)
  await expect(delivering).rejects.toThrow(TypeError)
  await expect(delivering).rejects.toThrow(message)
})

test.each([
  ['message.read', secret],
  [secret, 'whsec_other'],
])('signDelivery(%j, %j) is a TypeError that says what comes first', async (first, second) => {
  await expect(signDelivery(first, second)).rejects.toThrow(
    'The secret is the first argument, and the event or the body the second.',
  )
})

// @ts-expect-error a misspelt option
export const misspelt: DeliverOptions = { secert: secret }
