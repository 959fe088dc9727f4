import { expect, test, vi } from 'vitest'
import type { Reading } from '../src/adapter.ts'
import { createReceiver, WebhookError } from '../src/index.ts'
import {
  current,
  type DeliveryName,
  expectRejection,
  incoming,
  NOW,
  received,
  receiverWith,
  rejectionOf,
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

test('does not need X-Webhook-Id, and decides nothing by it', async () => {
  for (const id of [undefined, '', '__proto__']) {
    const { delivery, verification } = await received('message.received', {
      headers: { 'x-webhook-id': id },
    })
    expect(delivery.id).toBe('0199c7a2-5d3e-7b11-9c55-1f2e3d4c5b6a')
    expect(verification.webhookId).toBe(id || undefined)
  }
  const absent = { ...incoming('message.received'), header: nullFor('x-webhook-id') }
  const receiver = createReceiver(current.secret, { now: () => NOW })
  expect((await receiver.receive(absent)).verification.webhookId).toBeUndefined()
})

test('rejects a body that someone else read past the limit: 413 body_too_large', async () => {
  const { body } = signed('message.read')
  expect((await received('message.read', {}, { limit: body.length })).delivery.known).toBe(true)
  const over = received('message.read', {}, { limit: body.length - 1 })
  const { detail } = await expectRejection(over, 413, 'body_too_large')
  expect(detail).toContain(`more than \`limit\` (${body.length - 1} bytes): ${body.length}.`)
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

test('passes on the WebhookError of a reader, and calls onRejected', async () => {
  const own = new WebhookError('body_already_read', 'A parser ran first.')
  const onRejected = vi.fn()
  const readBody = () => Promise.reject(own)
  const error = await rejectionOf(received('message.read', { readBody }, { onRejected }))
  expect(error).toBe(own)
  expect(onRejected).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ reason: 'body_already_read', status: 500, signatureValid: false }),
  )
})

test('passes on any other error of a reader as it is', async () => {
  const bug = new RangeError('bug in the adapter')
  const onRejected = vi.fn()
  const readBody = () => Promise.reject(bug)
  await expect(received('message.read', { readBody }, { onRejected })).rejects.toBe(bug)
  expect(onRejected).not.toHaveBeenCalled()
})

test('serves many deliveries at the same time, each with its own verdict', async () => {
  const receiver = receiverWith()
  const names: DeliveryName[] = ['message.read', 'previous secret', 'not json', 'message.sent']
  const many = Array.from({ length: 80 }, (_, index) => names[index % 4] ?? 'array')
  const verdicts = await Promise.all(
    many.map((name) =>
      receiver.receive(incoming(name)).then(
        ({ delivery }) => delivery.event,
        (error: WebhookError) => error.reason,
      ),
    ),
  )
  expect(verdicts.slice(0, 4)).toEqual([
    'message.read',
    'signature_mismatch',
    'body_not_json',
    'message.sent',
  ])
  expect(verdicts.slice(4)).toEqual(verdicts.slice(0, -4))
})

/** A look-up that knows no header of that name, as `Headers.get` says it. */
function nullFor(missing: string) {
  const { header } = incoming('message.received')
  return (name: string) => (name === missing ? null : header(name))
}
