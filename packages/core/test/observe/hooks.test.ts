import { describe, expect, test, vi } from 'vitest'
import { createReceiver } from '../../src/index.ts'
import {
  current,
  expectRejection,
  incoming,
  NOW,
  previous,
  received,
  schemasOf,
  signed,
} from '../deliveries.ts'

const remote = { address: '192.0.2.7', url: '/webhooks?a=1', userAgent: 'sender/1' }
const secrets = { new: current.secret, old: previous.secret }
const fingerprints = [
  { name: 'new', fingerprint: current.fingerprint },
  { name: 'old', fingerprint: previous.fingerprint },
]

test('onAccepted receives the delivery, its age, the secret that matched and the remote', async () => {
  const onAccepted = vi.fn()
  const receiver = createReceiver(secrets, { now: () => NOW + 1500, onAccepted })
  await receiver.receive(incoming('previous secret', { remote: () => remote }))
  expect(onAccepted.mock.calls).toEqual([
    [
      {
        at: NOW + 1500,
        duration: expect.any(Number),
        age: 1.5,
        skew: 0,
        webhookId: 'unsigned-id',
        scheme: 'contract',
        remote,
        id: '0199c7a2-5d3e-7b11-9c55-1f2e3d4c5b6a',
        event: 'message.received',
        key: '0199c7a2-5d3e-7b11-9c55-1f2e3d4c5b6a',
        known: true,
        secret: fingerprints[1],
      },
    ],
  ])
})

test('onAccepted is called for unknown events, and of timestamps that have no age', async () => {
  const onAccepted = vi.fn()
  await received('unknown message.reacted', {}, { onAccepted })
  await received(
    'unreadable timestamp',
    { headers: { 'x-webhook-id': undefined } },
    { onAccepted, tolerance: Number.POSITIVE_INFINITY },
  )
  expect(onAccepted.mock.calls).toMatchObject([
    [{ event: 'message.reacted', known: false, age: 0, skew: 0, remote: {} }],
    [{ event: 'message.received', age: undefined, skew: undefined, webhookId: undefined }],
  ])
})

test('onRejected receives everything but body, secret and signature', async () => {
  const onRejected = vi.fn()
  const receiver = createReceiver(secrets, { now: () => NOW + 301_000, onRejected })
  const attempt = receiver.receive(incoming('message.received', { remote: () => remote }))
  const { detail } = await expectRejection(attempt, 401, 'timestamp_too_old')
  expect(onRejected.mock.calls).toEqual([
    [
      {
        at: NOW + 301_000,
        duration: expect.any(Number),
        age: 301,
        skew: 0,
        webhookId: 'unsigned-id',
        scheme: 'contract',
        remote,
        reason: 'timestamp_too_old',
        status: 401,
        code: 'not_authenticated',
        detail,
        cause: undefined,
        signatureValid: true,
        proven: true,
        secrets: fingerprints,
      },
    ],
  ])
})

test.each([
  ['before the secrets are known', { method: 'GET' }, 405, 'method_not_allowed', 0, []],
  ['after they are', { body: new Uint8Array(0) }, 401, 'signature_mismatch', 0, fingerprints],
  [
    'without a timestamp',
    { headers: { 'x-webhook-timestamp': undefined } },
    401,
    'timestamp_missing',
    undefined,
    [],
  ],
] as const)(
  'onRejected learns that no signature is valid %s',
  async (_, changes, status, reason, age, known) => {
    const onRejected = vi.fn()
    const receiver = createReceiver(secrets, { now: () => NOW, onRejected })
    await expectRejection(receiver.receive(incoming('message.received', changes)), status, reason)
    const unsure = { signatureValid: false, proven: false, remote: {} }
    expect(onRejected.mock.calls).toMatchObject([
      [{ status, reason, age, secrets: known, ...unsure }],
    ])
  },
)

test('onRejected receives the cause of a failed secret', async () => {
  const cause = new Error('vault is sealed')
  const onRejected = vi.fn()
  const receiver = createReceiver(() => Promise.reject(cause), { onRejected })
  await expectRejection(receiver.receive(incoming('message.read')), 503, 'secret_unavailable')
  expect(onRejected.mock.calls).toMatchObject([[{ status: 503, cause, secrets: [] }]])
})

test('the remote is computed only if a hook is called', async () => {
  const asked = vi.fn(() => remote)
  await received('message.read', { remote: asked })
  await expectRejection(received('array', { remote: asked }), 400, 'envelope_invalid')
  expect(asked).not.toHaveBeenCalled()
  await received('message.read', { remote: asked }, { onAccepted: () => {} })
  expect(asked).toHaveBeenCalledTimes(1)
})

test('a remote that throws leaves a rejection reported, without facts about the sender', async () => {
  const onRejected = vi.fn()
  const attempt = received('array', { remote: () => expect.unreachable() }, { onRejected })
  await expectRejection(attempt, 400, 'envelope_invalid')
  expect(onRejected.mock.calls).toMatchObject([[{ remote: {} }]])
})

test('the response does not wait for onAccepted or onRejected', async () => {
  const never = () => new Promise<void>(() => {})
  const hooks = { onAccepted: never, onRejected: never }
  expect((await received('message.read', {}, hooks)).delivery.known).toBe(true)
  await expectRejection(received('array', {}, hooks), 400, 'envelope_invalid')
})

describe('onUnprocessable', () => {
  test('receives the body, the headers that verify it again, the error and the issues', async () => {
    const onUnprocessable = vi.fn()
    const schemas = schemasOf(() => ({ issues: [{ message: 'no', path: ['missing'] }] }))
    const attempt = received('message.received', {}, { schemas, onUnprocessable })
    const error = await expectRejection(attempt, 500, 'schema_mismatch')
    const { body, timestamp, signature } = signed('message.received')
    const headers = {
      'content-type': 'application/json',
      'x-webhook-id': 'unsigned-id',
      'x-webhook-signature': signature,
      'x-webhook-timestamp': timestamp,
    }
    const issues = [expect.objectContaining({ path: ['missing'] })]
    expect(onUnprocessable.mock.calls).toEqual([[{ rawBody: body, headers, error, issues }]])
    expect(onUnprocessable.mock.lastCall?.[0].error).toBe(error)
  })

  test.each([
    ['is forged', 'message.received', { body: new Uint8Array([0x7b, 0x7d]) }, 0],
    ['is stale', 'not json', {}, 301_000],
    ['is accepted', 'message.read', {}, 0],
  ] as const)('is not called for what %s', async (_, name, changes, offset) => {
    const onUnprocessable = vi.fn()
    const options = { onUnprocessable, now: () => NOW + offset }
    await received(name, changes, options).catch(() => undefined)
    expect(onUnprocessable).not.toHaveBeenCalled()
  })
})
