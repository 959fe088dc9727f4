import { describe, expect, test, vi } from 'vitest'
import { createReceiver, type Reason } from '../../src/index.ts'
import { contract } from '../../src/internal.ts'
import {
  type DeliverOptions,
  type PreparedDelivery,
  prepareDelivery,
  signDelivery,
} from '../../src/testing/index.ts'
import type { Tampering } from '../../src/testing/tamper.ts'
import { expectRejection } from '../deliveries.ts'

const secret = 'whsec_prepared'
const receiver = createReceiver(secret, { onRejected: false })

function received({ path, headers, body }: PreparedDelivery) {
  return receiver.receiveRequest(
    new Request(`http://localhost${path}`, { method: 'POST', headers, body }),
  )
}

test('the content of a delivery is put into its envelope where the contract is given as its scheme', async () => {
  const signing = { scheme: contract, event: 'message.read' }
  const signed = await signDelivery(secret, { by: 'Zoë' }, signing)
  const request = new Request('http://localhost', { method: 'POST', ...signed })
  const { delivery } = await receiver.receiveRequest(request)
  expect(delivery).toMatchObject({ event: 'message.read', data: { data: { by: 'Zoë' } } })
})

test('has the content, the ids and the headers that it is given', async () => {
  const prepared = await prepareDelivery(
    'message.read',
    { by: 'Zoë' },
    { secret, id: 'dlv_1', instanceId: 'inst_9', headers: { 'x-request-id': 'r1' } },
  )
  expect(prepared.path).toBe('/webhooks')
  expect(prepared.headers).toMatchObject({ 'x-webhook-id': 'dlv_1', 'x-request-id': 'r1' })
  const { delivery } = await received(prepared)
  expect(delivery).toMatchObject({
    id: 'dlv_1',
    data: { instance_id: 'inst_9', data: { by: 'Zoë' } },
  })
})

test('goes by the clock and the timestamp that it is given', async () => {
  const now = () => 1_767_225_600_000
  const { headers, body } = await prepareDelivery('message.read', {}, { secret, now })
  expect(headers['x-webhook-timestamp']).toBe('1767225600')
  expect(new TextDecoder().decode(body)).toContain('"created_at":"2026-01-01T00:00:00.000Z"')
  const timestamp = new Date().toISOString()
  const { verification } = await received(
    await prepareDelivery('message.read', {}, { secret, timestamp }),
  )
  expect(verification.timestamp).toBe(timestamp)
})

describe('tamper', () => {
  test.each<[Tampering, Reason]>([
    ['body', 'signature_mismatch'],
    ['alter', 'signature_mismatch'],
    ['wrong-secret', 'signature_mismatch'],
    ['stale', 'timestamp_too_old'],
    ['future', 'timestamp_in_future'],
  ])('%s is rejected: %s', async (tamper, reason) => {
    const prepared = await prepareDelivery('message.read', {}, { secret, tamper })
    await expectRejection(received(prepared), 401, reason)
    expect(JSON.parse(new TextDecoder().decode(prepared.body))).toBeTypeOf('object')
  })

  test('body changes the last letter and nothing else', async () => {
    const options = { secret, id: 'dlv_1', now: () => 1_767_225_600_000 }
    const signed = await prepareDelivery('message.read', {}, options)
    const altered = await prepareDelivery('message.read', {}, { ...options, tamper: 'body' })
    expect(altered.headers).toEqual(signed.headers)
    const text = new TextDecoder().decode(signed.body)
    expect(new TextDecoder().decode(altered.body)).toBe(text.replace(/Z"}}$/, 'z"}}'))
    expect(altered.body).not.toEqual(signed.body)
  })
})

describe('the secret', () => {
  test('is WEBHOOK_SECRET unless another is given', async () => {
    vi.stubEnv('WEBHOOK_SECRET', secret)
    await received(await prepareDelivery('message.read'))
    await expectRejection(
      received(await prepareDelivery('message.read', {}, { secret: 'whsec_other' })),
      401,
      'signature_mismatch',
    )
  })

  test('is a TypeError where WEBHOOK_SECRET is empty and none is given', async () => {
    vi.stubEnv('WEBHOOK_SECRET', '')
    const prepared = prepareDelivery('message.read')
    await expect(prepared).rejects.toThrow(TypeError)
    await expect(prepared).rejects.toThrow('Set WEBHOOK_SECRET, or pass')
  })
})

test.each<[string, unknown[], string]>([
  ['no event', [undefined, {}, { secret }], 'The event should be a name'],
  ['data that is a text', ['message.read', 'hello', { secret }], 'The data should be an object'],
  ['a misspelt option', ['message.read', {}, { secert: 'x' }], 'There is no option "secert"'],
  [
    'a path without a slash',
    ['message.read', {}, { secret, path: 'x' }],
    '`path` should be a path that begins with a slash',
  ],
  ['a time', ['message.read', {}, { secret, now: 1 }], '`now` should be a function that returns'],
  [
    'an unknown tampering',
    ['message.read', {}, { secret, tamper: 'x' }],
    "should be 'body', 'wrong-secret', 'stale', 'future' or 'alter'",
  ],
])('%s is a TypeError', async (_, args, message) => {
  const prepared: Promise<unknown> = Reflect.apply(prepareDelivery, undefined, args)
  await expect(prepared).rejects.toThrow(TypeError)
  await expect(prepared).rejects.toThrow(message)
})

// @ts-expect-error a misspelt option
export const misspelt: DeliverOptions = { secert: secret }
