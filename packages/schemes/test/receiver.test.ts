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
import { macOf, NOW, receive, requestOf, signed } from './signed.ts'
import { validRequest } from './vectors.ts'

const publicUrl = 'https://example.com'

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
])(
  'what is signed and not a delivery is rejected with 400: %#',
  async (scheme, body, reason, says = '') => {
    const receiving = receive(scheme, await signed(scheme, Buffer.from(body, 'latin1')))
    const detail = expect.stringContaining(says)
    await expect(receiving).rejects.toMatchObject({ status: 400, reason, detail })
  },
)

test('a signed form of 1000 fields is read', async () => {
  const sent = await signed(slack, Array(1000).fill('a=1').join('&'))
  expect((await receive(slack, sent)).delivery.data).toBeDefined()
})

test.each<[string, DefinedScheme, string | undefined]>([
  ['standard-webhooks, which signs it, is not', standardWebhooks, undefined],
  ['github, which does not sign it, is', github, 'msg_2cVbUqcH1H8bGZV0XBmYz1'],
])('the id in the headers of %s the unsigned webhookId', async (_name, scheme, webhookId) => {
  const { delivery, verification } = await receive(scheme, validRequest(scheme))
  expect(delivery.id).toBe('msg_2cVbUqcH1H8bGZV0XBmYz1')
  expect(verification.webhookId).toBe(webhookId)
})

const JSON_TYPE = 'application/json'
const validation = (plainToken: unknown) =>
  JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken } })
const plainToken = 'qgg8vlvZRS6UYooatFL8Aw'

test.each<[DefinedScheme, string, string, string?, number?]>([
  [slack, '{"type":"url_verification","challenge":"3eZbrw1a"}', '3eZbrw1a', 'text/plain'],
  [zoom, validation(plainToken), JSON.stringify({ plainToken, encryptedToken: macOf(plainToken) })],
  // No MAC of what is not a token: it could be that of a delivery.
  [zoom, validation('v0:1795392000:{}'), '{"plainToken":"v0:1795392000:{}"}'],
  [zoom, validation(''), '{"plainToken":""}'],
  [zoom, validation(1), '{}'],
  [discordEvents, '{"type":0}', '', JSON_TYPE, 204],
  [discordInteractions, '{"type":1}', '{"type":1}'],
])(
  'a check of the endpoint of $0.name gets its response, and no handler sees it: %s',
  async (scheme: Scheme, check, text, type = JSON_TYPE, status = 200) => {
    const { privateKey, publicKey } = scheme.name.startsWith('discord')
      ? keyPairFor(scheme)
      : { privateKey: 'secret', publicKey: 'secret' }
    const handle = vi.fn()
    const now = () => NOW
    const handler = webhookHandler(publicKey, handle, { scheme, now, onRejected: false })
    const { headers, body } = await signDelivery(privateKey, Buffer.from(check), { scheme, now })
    const response = await handler(requestOf({ headers, body }))
    expect([response.status, await response.text()]).toEqual([status, text])
    expect(response.headers.get('content-type')).toBe(type)
    expect((await handler(requestOf({ headers, body: `${check} ` }))).status).toBe(401)
    expect(handle).not.toHaveBeenCalled()
  },
)

test('a form of Twilio becomes an object of its fields', async () => {
  const form = 'MessageSid=SM1&MessageStatus=sent&To=%2B45&__proto__=x&To=%2B46&toString=x'
  const sent = await signed(twilio, form, { url: `${publicUrl}/sms?a=%20b` })
  const { delivery, verification } = await receive(twilio, sent, { publicUrl })
  expect(delivery).toEqual({
    scheme: 'twilio',
    id: 'id-1',
    event: 'sent',
    data: { MessageSid: 'SM1', MessageStatus: 'sent', To: ['+45', '+46'], toString: 'x' },
  })
  expect(verification.unsigned).toEqual(['id', 'event', 'body', 'path', 'query'])
})

test('a field without a name is no JSON', async () => {
  const url = `${publicUrl}/?q=`
  const headers = {
    'x-twilio-signature': macOf(`${url}{"a":1}`, { hash: 'sha1', as: 'base64' }),
    'i-twilio-idempotency-token': 'token',
  }
  const { delivery } = await receive(twilio, { url, headers, body: '={"a":1}' }, { publicUrl })
  expect(delivery.data).toEqual({ '': '{"a":1}' })
})

test('the claimed time is read from a header or a field, and never thrown', async () => {
  const { headers } = await signed(stripe, '{}')
  expect(stripe.claimedTime?.((name) => headers[name])).toBe(NOW)
  expect(stripe.claimedTime?.(() => 't=1')).toBeUndefined()
  expect(stripe.claimedTime?.(() => undefined)).toBeUndefined()
  expect(slack.claimedTime?.(() => '1795392000')).toBe(NOW)
  expect(github.claimedTime?.(() => '1795392000')).toBeUndefined()
})

test.each([
  ['2026-11-23T00:00:00Z', 'enabled', { event: 'stream.online' }],
  ['2026-11-23T00:10:00Z', 'enabled', { event: 'stream.online' }],
  // That a subscription has ended runs no handler of the event that it was for.
  ['2026-11-23T00:00:00Z', 'authorization_revoked', { event: 'revocation' }],
  ['2026-11-22T23:49:59Z', 'enabled', { reason: 'timestamp_too_old' }],
  ['2026-11-23T00:10:01Z', 'enabled', { reason: 'timestamp_in_future' }],
  ['1795392000', 'enabled', { reason: 'signature_malformed' }],
])('a timestamp as RFC 3339: %s and %s is %j', async (time, status, expected) => {
  const body = JSON.stringify({ subscription: { type: 'stream.online', status } })
  const parts = { id: 'id-1', timestamp: time, signature: `sha256=${macOf(`id-1${time}${body}`)}` }
  const headers = Object.entries(parts).map(([name, value]): [string, string] => [
    `twitch-eventsub-message-${name}`,
    value,
  ])
  const receiving = receive(twitch, { headers, body })
  if ('reason' in expected) await expect(receiving).rejects.toMatchObject(expected)
  else expect((await receiving).delivery).toMatchObject({ id: 'id-1', ...expected })
})

describe('the largest body of a service', () => {
  test.each([
    [undefined, 1_048_576],
    [26_214_400, 26_214_400],
    [33_554_433, 33_554_432],
  ])('of %s bytes makes %d the default limit', (largest, limit) => {
    const scheme = defineScheme({ ...stripe.value, largest })
    expect(createReceiver('secret', { scheme }).limit).toBe(limit)
    expect(createReceiver('secret', { scheme, limit: 9 }).limit).toBe(9)
  })

  test('is in the detail of a 413 where the limit is less', async () => {
    const large = await signed(github, 'x'.repeat(1_048_577))
    await expect(receive(github, large, { limit: 1_048_576 })).rejects.toMatchObject({
      status: 413,
      detail: expect.stringContaining('github sends up to 33554432 bytes.'),
    })
  })
})

test.each(['CANARY +1 555 0100', { CANARY: 1 }, true])(
  'the detail quotes nothing of a body whose timestamp is %j',
  async (webhookTimestamp) => {
    const sent = await signed(linear, JSON.stringify({ webhookTimestamp }))
    const error = await receive(linear, sent).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status: 401, reason: 'timestamp_unreadable' })
    expect(Object(error).detail).not.toContain('CANARY')
    expect(Object(error).detail).toMatch(/ is an? \w+ \(\d+ characters\)/)
  },
)
