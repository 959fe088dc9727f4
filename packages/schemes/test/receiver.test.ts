import { createHmac } from 'node:crypto'
import { createReceiver, webhookHandler } from '@webhook-receiver/core'
import { describe, expect, test, vi } from 'vitest'
import * as schemes from '../src/index.ts'
import {
  type DefinedScheme,
  defineScheme,
  discordEvents,
  discordInteractions,
  github,
  linear,
  slack,
  standardWebhooks,
  stripe,
  twilio,
  zoom,
} from '../src/index.ts'
import { NOW, requestOf, signed } from './signed.ts'
import { validRequest } from './vectors.ts'

const SECRET = 'secret'

const options = { now: () => NOW, onRejected: false } as const

const sent = async (scheme: DefinedScheme, body: string | Uint8Array, at = {}) =>
  requestOf(await signed(scheme, body, at))

test.each<[DefinedScheme, string, string]>([
  [stripe, '{"type":"invoice.paid"}', 'envelope_invalid'],
  // Rounded, it would be the id of another delivery.
  [stripe, '{"id":9007199254740993,"type":"invoice.paid"}', 'envelope_invalid'],
  [schemes.shopify, 'null', 'envelope_invalid'],
  [slack, 'a=b c', 'envelope_invalid'],
  [slack, 'a=%ff', 'body_not_utf8'],
  [slack, 'a=\xff', 'body_not_utf8'],
  [stripe, '{"id":"caf\xe9"}', 'body_not_utf8'],
])('what is signed and not a delivery is rejected with 400', async (scheme, body, reason) => {
  const receiver = createReceiver(SECRET, { scheme, ...options })
  const request = await sent(scheme, Buffer.from(body, 'latin1'))
  await expect(receiver.receiveRequest(request)).rejects.toMatchObject({ status: 400, reason })
})

test('a signed form with more fields than are read says so', async () => {
  const receiver = createReceiver(SECRET, { scheme: slack, ...options })
  const form = async (fields: number) => sent(slack, Array(fields).fill('a=1').join('&'))
  expect((await receiver.receiveRequest(await form(1000))).delivery.data).toBeDefined()
  await expect(receiver.receiveRequest(await form(1001))).rejects.toMatchObject({
    reason: 'envelope_invalid',
    detail: expect.stringContaining('the body should be a form of at most 1000 fields.'),
  })
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

test('Slack gets its challenge back, and no handler sees it', async () => {
  const handle = vi.fn()
  const handler = webhookHandler(SECRET, handle, { ...options, scheme: slack })
  const response = await handler(
    await sent(slack, '{"type":"url_verification","challenge":"3eZbrw1a"}'),
  )
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain')
  expect(await response.text()).toBe('3eZbrw1a')
  expect(handle).not.toHaveBeenCalled()
})

test('Zoom gets its token back with its MAC, and no handler sees it', async () => {
  const handle = vi.fn()
  const handler = webhookHandler(SECRET, handle, { ...options, scheme: zoom })
  const validation = (plainToken: unknown) =>
    JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken } })
  const response = await handler(await sent(zoom, validation('qgg8vlvZRS6UYooatFL8Aw')))
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toEqual({
    plainToken: 'qgg8vlvZRS6UYooatFL8Aw',
    encryptedToken: createHmac('sha256', SECRET).update('qgg8vlvZRS6UYooatFL8Aw').digest('hex'),
  })
  const { url, headers } = await sent(zoom, '{}')
  const forged = requestOf({ url, headers, body: validation('a') })
  expect((await handler(forged)).status).toBe(401)
  expect(handle).not.toHaveBeenCalled()
})

test.each(['v0:1795392000:{}', '', 1])(
  'Zoom gets no MAC of what is not a token: %j',
  async (plainToken) => {
    const handler = webhookHandler(SECRET, async () => {}, { ...options, scheme: zoom })
    const body = JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken } })
    const response = await handler(await sent(zoom, body))
    expect(response.status).toBe(200)
    expect(await response.json()).not.toHaveProperty('encryptedToken')
  },
)

test.each<[DefinedScheme, string, number, string, number]>([
  [discordEvents, '{"type":0}', 204, '', 204],
  [discordInteractions, '{"type":1}', 200, '{"type":1}', 202],
])('PING of $name', async (scheme, sent, status, text, success) => {
  const { secret, headers, body } = validRequest(scheme)
  const verify = vi.spyOn(scheme, 'verify').mockReturnValue(true)
  const handle = vi.fn()
  const handler = webhookHandler(secret, handle, { ...options, scheme })
  const post = (content: BodyInit) => handler(requestOf({ headers, body: content }))
  const response = await post(sent)
  expect([response.status, await response.text()]).toEqual([status, text])
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(handle).not.toHaveBeenCalled()
  verify.mockRestore()
  expect((await post(sent)).status).toBe(401)
  expect((await post(body)).status).toBe(success)
  expect(handle).toHaveBeenCalledTimes(1)
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
  const { twitch } = schemes
  const receiver = createReceiver(SECRET, { scheme: twitch, ...options })
  const body = '{"subscription":{"type":"stream.online","status":"enabled"},"event":{}}'
  const name = (part: string) => `twitch-eventsub-message-${part}`
  /** Signed by node:crypto alone. */
  const sentAt = (time: string, text = body) => {
    const mac = createHmac('sha256', SECRET).update(`id-1${time}${text}`).digest('hex')
    const headers = {
      [name('id')]: 'id-1',
      [name('timestamp')]: time,
      [name('signature')]: `sha256=${mac}`,
    }
    return requestOf({ headers, body: text })
  }

  test.each(['2026-11-23T00:00:00Z', '2026-11-23T00:10:00Z'])('%s is accepted', async (time) => {
    const { delivery } = await receiver.receiveRequest(sentAt(time))
    expect(delivery).toMatchObject({ scheme: 'twitch', id: 'id-1', event: 'stream.online' })
  })

  test('a subscription that ended is the event `revocation`, and does not run the handler of the event that it was for', async () => {
    const ended = '{"subscription":{"type":"stream.online","status":"authorization_revoked"}}'
    const { delivery } = await receiver.receiveRequest(sentAt('2026-11-23T00:00:00Z', ended))
    expect(delivery).toMatchObject({ scheme: 'twitch', id: 'id-1', event: 'revocation' })
  })

  test.each([
    ['2026-11-22T23:49:59Z', 'timestamp_too_old'],
    ['2026-11-23T00:10:01Z', 'timestamp_in_future'],
    ['1795392000', 'signature_malformed'],
  ])('%s is rejected with %s', async (time, reason) => {
    await expect(receiver.receiveRequest(sentAt(time))).rejects.toMatchObject({ reason })
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
