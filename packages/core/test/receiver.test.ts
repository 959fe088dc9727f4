import { expect, test, vi } from 'vitest'
import type { Reading } from '../src/adapter.ts'
import { contract } from '../src/contract/scheme.ts'
import { createReceiver, WebhookError } from '../src/index.ts'
import {
  current,
  type DeliveryName,
  expectRejection,
  incoming,
  received,
  receiverWith,
  signed,
} from './deliveries.ts'

test('passes on the delivery, and the bytes and facts by which it was verified', async () => {
  const { delivery, verification } = await received('message.received')
  expect(delivery).toEqual({
    ...JSON.parse(Buffer.from(signed('message.received').body).toString()),
    known: true,
  })
  expect(verification).toEqual({
    rawBody: signed('message.received').body,
    timestamp: '1760000000',
    endpoint: 'default',
    key: delivery.id,
    unsigned: [],
    secretName: undefined,
    webhookId: 'unsigned-id',
  })
})

test('knows no X-Webhook-Id where it is missing or empty', async () => {
  for (const id of [undefined, '']) {
    const { verification } = await received('message.read', { headers: { 'x-webhook-id': id } })
    expect(verification.webhookId).toBeUndefined()
  }
})

test('rejects a forged request where something has replaced Promise, as zone.js does', async () => {
  vi.stubGlobal('Promise', class extends Promise<unknown> {})
  const verify: typeof contract.verify = async (...given) => contract.verify(...given)
  for (const options of [{}, { scheme: { ...contract, verify } }]) {
    expect((await received('message.read', {}, options)).delivery.known).toBe(true)
    const forged = received('message.read', { body: Buffer.from('{}') }, options)
    await expectRejection(forged, 401, 'signature_mismatch')
  }
})

test('rejects a body that someone else read past the limit: 413 body_too_large', async () => {
  const { body } = signed('message.read')
  expect((await received('message.read', {}, { limit: body.length })).delivery.known).toBe(true)
  const over = received('message.read', {}, { limit: body.length - 1 })
  const { detail } = await expectRejection(over, 413, 'body_too_large')
  expect(detail).toContain(`over \`limit\` (${body.length - 1} bytes): ${body.length}.`)
})

test('gives the reader all that is said of reading', async () => {
  const given: Reading[] = []
  const readBody = (reading: Reading) => {
    given.push(reading)
    return signed('message.read').body
  }
  await received('message.read', { readBody }, { limit: 4321, bodyTimeout: 7 })
  expect(given).toMatchObject([{ limit: 4321, timeout: 7 }])
  expect(createReceiver(current.secret, { limit: 4321 }).limit).toBe(4321)
})

const { body: bytes } = signed('message.read')

test('takes a promise of what hands its bytes over from a reader', async () => {
  const readBody = () => Promise.resolve({ take: () => bytes })
  const { verification } = await received('message.read', { readBody })
  expect(verification.rawBody).toBe(bytes)
})

test.each([
  [
    'the WebhookError of a reader, and calls onRejected',
    new WebhookError('body_already_read', 'A parser ran first.'),
    [{ reason: 'body_already_read', status: 500, signatureValid: false }],
  ],
  ['any other error of a reader as it is', new RangeError('bug in the adapter'), []],
])('passes on %s', async (_, error, reported) => {
  const onRejected = vi.fn()
  const readBody = () => Promise.reject(error)
  await expect(received('message.read', { readBody }, { onRejected })).rejects.toBe(error)
  expect(onRejected.mock.calls).toMatchObject(reported.map((rejection) => [rejection]))
})

test('serves many deliveries at the same time, each with its own verdict', async () => {
  const receiver = receiverWith()
  const expected = {
    'message.read': 'message.read',
    'previous secret': 'signature_mismatch',
    'not json': 'body_not_json',
    'message.sent': 'message.sent',
  } as const
  const verdicts = Array.from({ length: 20 }, () => Object.entries(expected)).flat()
  const received = verdicts.map(async ([name]) => {
    const verdict = receiver.receive(incoming(name as DeliveryName))
    return verdict.then(
      ({ delivery }) => delivery.event,
      ({ reason }: WebhookError) => reason,
    )
  })
  expect(await Promise.all(received)).toEqual(verdicts.map(([, verdict]) => verdict))
})
