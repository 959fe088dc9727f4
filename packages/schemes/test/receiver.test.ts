import { createHmac } from 'node:crypto'
import { createReceiver, type Scheme, webhookHandler } from '@webhook-receiver/core'
import { signDelivery } from '@webhook-receiver/core/testing'
import { describe, expect, test, vi } from 'vitest'
import {
  type DefinedScheme,
  defineScheme,
  discordEvents,
  discordInteractions,
  github,
  linear,
  shopify,
  slack,
  standardWebhooks,
  stripe,
  twilio,
  twitch,
  zoom,
} from '../src/index.ts'
import { keyPairFor } from '../src/service-file.ts'
import { NOW, requestOf, signed } from './signed.ts'
import { validRequest } from './vectors.ts'

const SECRET = 'secret'

const options = { now: () => NOW, onRejected: false } as const

const sent = async (scheme: DefinedScheme, body: string | Uint8Array, at = {}) =>
  requestOf(await signed(scheme, body, at))

test.each<[DefinedScheme, string, string, string?]>([
  [stripe, '{"type":"invoice.paid"}', 'envelope_invalid', 'the id (/id) should be a non-empty str'],
  // Rounded, it would be the id of another delivery.
  [stripe, '{"id":9007199254740993,"type":"invoice.paid"}', 'envelope_invalid'],
  [shopify, 'null', 'envelope_invalid'],
  [slack, 'a=b c', 'envelope_invalid'],
  [slack, Array(1001).fill('a=1').join('&'), 'envelope_invalid', 'a form of at most 1000 fields.'],
  [slack, 'a=%ff', 'body_not_utf8'],
  [slack, 'a=\xff', 'body_not_utf8'],
  [stripe, '{"id":"caf\xe9"}', 'body_not_utf8'],
])('what is signed and not a delivery is rejected with 400: %#', async (scheme, body, ...said) => {
  const receiver = createReceiver(SECRET, { scheme, ...options })
  const request = await sent(scheme, Buffer.from(body, 'latin1'))
  const [reason, detail = ''] = said
  await expect(receiver.receiveRequest(request)).rejects.toMatchObject({
    ...{ status: 400, reason, detail: expect.stringContaining(detail) },
  })
})

test('a signed form of 1000 fields is read', async () => {
  const receiver = createReceiver(SECRET, { scheme: slack, ...options })
  const request = await sent(slack, Array(1000).fill('a=1').join('&'))
  expect((await receiver.receiveRequest(request)).delivery.data).toBeDefined()
})

test.each<[string, DefinedScheme, string | undefined]>([
  ['standard-webhooks, which signs it, is not', standardWebhooks, undefined],
  ['github, which does not sign it, is', github, 'msg_2cVbUqcH1H8bGZV0XBmYz1'],
])('the id in the headers of %s the unsigned webhookId', async (_name, scheme, webhookId) => {
  const { secret, headers, body } = validRequest(scheme)
  const receiver = createReceiver(secret, { scheme, ...options })
  const request = requestOf({ headers, body })
  const { delivery, verification } = await receiver.receiveRequest(request)
  expect(delivery).toHaveProperty('id', 'msg_2cVbUqcH1H8bGZV0XBmYz1')
  expect(verification.webhookId).toBe(webhookId)
})

const JSON_TYPE = 'application/json'
const validation = (plainToken: unknown) =>
  JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken } })
const TOKEN = 'qgg8vlvZRS6UYooatFL8Aw'
const encryptedToken = createHmac('sha256', SECRET).update(TOKEN).digest('hex')

describe('a check of the endpoint gets its response, and no handler sees it', () => {
  test.each<[DefinedScheme, string, number, string, string]>([
    [slack, '{"type":"url_verification","challenge":"3eZbrw1a"}', 200, 'text/plain', '3eZbrw1a'],
    [
      zoom,
      validation(TOKEN),
      200,
      JSON_TYPE,
      JSON.stringify({ plainToken: TOKEN, encryptedToken }),
    ],
    // No MAC of what is not a token: it could be that of a delivery.
    ...['v0:1795392000:{}', '', 1].map((token): [DefinedScheme, string, number, string, string] => [
      ...([zoom, validation(token), 200, JSON_TYPE] as const),
      JSON.stringify(typeof token === 'string' ? { plainToken: token } : {}),
    ]),
    [discordEvents, '{"type":0}', 204, JSON_TYPE, ''],
    [discordInteractions, '{"type":1}', 200, JSON_TYPE, '{"type":1}'],
  ])('$0.name: %s', async (scheme, check, status, type, text) => {
    const isShared = scheme.value.keys[0].algorithm.startsWith('hmac')
    const { privateKey, publicKey } = isShared
      ? { privateKey: SECRET, publicKey: SECRET }
      : keyPairFor(scheme)
    const handle = vi.fn()
    const given: Scheme = scheme
    const handler = webhookHandler(publicKey, handle, { ...options, scheme: given })
    const { headers, body } = await signDelivery(privateKey, Buffer.from(check), {
      ...{ scheme: given, now: options.now },
    })
    const response = await handler(requestOf({ headers, body }))
    expect([response.status, await response.text()]).toEqual([status, text])
    expect(response.headers.get('content-type')).toBe(type)
    expect((await handler(requestOf({ headers, body: `${check} ` }))).status).toBe(401)
    expect(handle).not.toHaveBeenCalled()
  })
})

test('a form of Twilio becomes an object of its fields', async () => {
  const receiver = createReceiver(SECRET, {
    scheme: twilio,
    publicUrl: 'https://example.com',
    ...options,
  })
  const { delivery, verification } = await receiver.receiveRequest(
    await sent(
      twilio,
      'MessageSid=SM1&MessageStatus=sent&To=%2B45&__proto__=x&To=%2B46&toString=x',
      {
        url: 'https://example.com/sms?a=%20b',
      },
    ),
  )
  expect(delivery).toEqual({
    scheme: 'twilio',
    id: 'id-1',
    event: 'sent',
    data: { MessageSid: 'SM1', MessageStatus: 'sent', To: ['+45', '+46'], toString: 'x' },
  })
  expect(verification.unsigned).toEqual(['id', 'event', 'body', 'path', 'query'])
})

test('a field without a name is no JSON', async () => {
  const publicUrl = 'https://example.com'
  const receiver = createReceiver(SECRET, { scheme: twilio, publicUrl, ...options })
  const sign = createHmac('sha1', SECRET).update('https://example.com/?q={"a":1}')
  const headers = {
    'x-twilio-signature': sign.digest('base64'),
    'i-twilio-idempotency-token': 'token',
  }
  const cut = requestOf({ url: `${publicUrl}/?q=`, headers, body: '={"a":1}' })
  const { delivery } = await receiver.receiveRequest(cut)
  expect(delivery.data).toEqual({ '': '{"a":1}' })
})

test('the claimed time is read from a header or a field, and never thrown', async () => {
  const { headers } = await sent(stripe, '{}')
  expect(stripe.claimedTime?.((name) => headers.get(name))).toBe(NOW)
  expect(stripe.claimedTime?.(() => 't=1')).toBeUndefined()
  expect(stripe.claimedTime?.(() => undefined)).toBeUndefined()
  expect(slack.claimedTime?.(() => '1795392000')).toBe(NOW)
  expect(github.claimedTime?.(() => '1795392000')).toBeUndefined()
})

describe('a timestamp as RFC 3339', () => {
  const name = (part: string) => `twitch-eventsub-message-${part}`
  /** Signed by node:crypto alone. */
  const sentAt = (time: string, status = 'enabled') => {
    const body = JSON.stringify({ subscription: { type: 'stream.online', status } })
    const mac = createHmac('sha256', SECRET).update(`id-1${time}${body}`).digest('hex')
    const headers = {
      [name('id')]: 'id-1',
      [name('timestamp')]: time,
      [name('signature')]: `sha256=${mac}`,
    }
    const receiver = createReceiver(SECRET, { scheme: twitch, ...options })
    return receiver.receiveRequest(requestOf({ headers, body }))
  }

  test.each([
    ['2026-11-23T00:00:00Z', 'enabled', 'stream.online'],
    ['2026-11-23T00:10:00Z', 'enabled', 'stream.online'],
    // That a subscription has ended runs no handler of the event that it was for.
    ['2026-11-23T00:00:00Z', 'authorization_revoked', 'revocation'],
  ])('%s is accepted', async (time, status, event) => {
    const { delivery } = await sentAt(time, status)
    expect(delivery).toMatchObject({ scheme: 'twitch', id: 'id-1', event })
  })

  test.each([
    ['2026-11-22T23:49:59Z', 'timestamp_too_old'],
    ['2026-11-23T00:10:01Z', 'timestamp_in_future'],
    ['1795392000', 'signature_malformed'],
  ])('%s is rejected with %s', async (time, reason) => {
    await expect(sentAt(time)).rejects.toMatchObject({ reason })
  })
})

describe('the largest body of a service', () => {
  test.each([
    [undefined, 1_048_576],
    [26_214_400, 26_214_400],
    [33_554_433, 33_554_432],
  ])('of %s bytes makes %d the default limit', (largest, limit) => {
    const scheme = defineScheme({ ...stripe.value, largest })
    expect(createReceiver(SECRET, { scheme, ...options }).limit).toBe(limit)
    expect(createReceiver(SECRET, { scheme, ...options, limit: 9 }).limit).toBe(9)
  })

  test('is in the detail of a 413 where the limit is less', async () => {
    const receiver = createReceiver(SECRET, { scheme: github, ...options, limit: 1_048_576 })
    const large = await sent(github, 'x'.repeat(1_048_577))
    await expect(receiver.receiveRequest(large)).rejects.toMatchObject({
      status: 413,
      detail: expect.stringContaining('github sends up to 33554432 bytes.'),
    })
  })
})

test.each(['CANARY +1 555 0100', { CANARY: 1 }, true])(
  'the detail quotes nothing of a body whose timestamp is %j',
  async (webhookTimestamp) => {
    const receiver = createReceiver(SECRET, { scheme: linear, ...options })
    const request = await sent(linear, JSON.stringify({ webhookTimestamp }))
    const error = await receiver.receiveRequest(request).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status: 401, reason: 'timestamp_unreadable' })
    expect(Object(error).detail).not.toContain('CANARY')
    expect(Object(error).detail).toMatch(/ is an? \w+ \(\d+ characters\)/)
  },
)
