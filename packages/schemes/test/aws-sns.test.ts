import { createReceiver, memoryStore, webhookHandler } from '@webhook-receiver/core'
import { describe, expect, test, vi } from 'vitest'
import recorded from '../../conformance/schemes/aws-sns.json' with { type: 'json' }
import { awsSns } from '../src/aws-sns/index.ts'
import { signedFields } from '../src/aws-sns/message.ts'
import { readCertificate } from '../src/aws-sns/x509.ts'

const { clock, topic, certificate, messages } = recorded
const now = () => Date.parse(clock)
const HOST = 'https://sns.us-west-2.amazonaws.com'
const withSubject = messages['with a subject']

const served = (text = certificate, status = 200) =>
  vi.fn<typeof fetch>(async () => new Response(text, { status }))

function request(
  message: unknown,
  headers: HeadersInit = { 'x-amz-sns-message-type': 'Notification' },
): Request {
  const body = typeof message === 'string' ? message : JSON.stringify(message)
  return new Request('https://example.com', { method: 'POST', body, headers })
}

function receive(
  message: unknown,
  options: Parameters<typeof awsSns>[0] = {},
  secret: string = topic,
) {
  const scheme = awsSns({ fetch: served(), now, ...options })
  return createReceiver(secret, { scheme, onRejected: false }).receiveRequest(request(message))
}

describe("messages in the tests of AWS's SDK", () => {
  test.each(Object.entries<Record<string, string>>(messages))('%s', async (_name, message) => {
    const { delivery, verification } = await receive({
      ...message,
      UnsubscribeURL: 'https://a.example',
    })
    const { Signature: _, SignatureVersion: __, SigningCertURL: ___, ...signed } = message
    expect(delivery).toEqual({
      scheme: 'aws-sns',
      id: message.MessageId,
      event: message.Type,
      data: signed,
    })
    expect(verification.unsigned).toEqual([])
  })
})

test('half a character is in no message, because it is signed as another', () => {
  expect(signedFields({ ...withSubject, Message: '\u{1F600}\uFFFD' })).toBeDefined()
  expect(signedFields({ ...withSubject, Message: '\uD83D' })).toBeUndefined()
  expect(signedFields({ ...withSubject, Subject: '\uDE00' })).toBeUndefined()
})

describe('rejects with 401', () => {
  const { Subject: subject, ...rest } = withSubject
  test.each<[string, unknown]>([
    ['another message', { ...withSubject, Message: 'Hello?' }],
    ['another id', { ...withSubject, MessageId: 'other' }],
    [
      'a MessageId that takes the subject',
      { ...rest, MessageId: `${rest.MessageId}\nSubject\n${subject}` },
    ],
    [
      'a Message that takes the id',
      { ...withSubject, Message: `${withSubject.Message}\nMessageId\nx` },
    ],
    ['another version', { ...withSubject, SignatureVersion: '2' }],
    ['an unknown version', { ...withSubject, SignatureVersion: '3' }],
    ['a type that does not exist', { ...withSubject, Type: '__proto__' }],
    ['no signature', { ...withSubject, Signature: undefined }],
    ['a signature with a space', { ...withSubject, Signature: ` ${withSubject.Signature}` }],
    ['a number for a text', { ...withSubject, MessageId: 1 }],
    ['an array', [withSubject]],
    ['what is not JSON', '{'],
  ])('%s', async (_what, message) => {
    await expect(receive(message)).rejects.toMatchObject({
      status: 401,
      reason: 'signature_mismatch',
    })
  })

  test('another topic, without asking for its certificate', async () => {
    const fetching = served()
    const other = topic.replace('dongie', 'other')
    await expect(receive(withSubject, { fetch: fetching }, other)).rejects.toMatchObject({
      status: 401,
    })
    expect(fetching).not.toHaveBeenCalled()
  })

  test.each([
    'http://sns.us-west-2.amazonaws.com',
    'https://sns.us-west-2.amazonaws.com.evil.example',
    'https://sns.us-west-2.amazonaws.com@evil.example',
    'https://sns.us-west-2.amazonaws.com:444',
    'https://sns.eu-west-1.amazonaws.com',
    'https://evil.example',
    `${HOST}/../evil`,
    `${HOST}\\`,
  ])('a certificate from %s, without asking for it', async (origin) => {
    const fetching = served()
    const url = `${origin}${withSubject.SigningCertURL.slice(HOST.length)}`
    const message = { ...withSubject, SigningCertURL: url }
    await expect(receive(message, { fetch: fetching })).rejects.toMatchObject({ status: 401 })
    expect(fetching).not.toHaveBeenCalled()
  })

  test('a request without the header of SNS', async () => {
    const scheme = awsSns({ fetch: served(), now })
    const receiver = createReceiver(topic, { scheme, onRejected: false })
    await expect(receiver.receiveRequest(request(withSubject, {}))).rejects.toMatchObject({
      status: 401,
      reason: 'signature_missing',
    })
  })
})

describe('a certificate', () => {
  test.each<[string, typeof fetch]>([
    ['does not exist', served('', 404)],
    ['is elsewhere', served('', 302)],
    ['cannot be reached', () => Promise.reject(new Error('no network'))],
    ['is not one', served('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----')],
    ['is cut off', served(certificate.replace(/.{200}\n-----END/s, '\n-----END'))],
    ['is too large', served(certificate + ' '.repeat(20_000))],
  ])('that %s is 503', async (_what, fetching) => {
    await expect(receive(withSubject, { fetch: fetching })).rejects.toMatchObject({ status: 503 })
  })

  test.each(['2025-01-01', '2027-01-01'])('that is not valid on %s is 503', async (day) => {
    const options = { now: () => Date.parse(day) }
    await expect(receive(withSubject, options)).rejects.toMatchObject({ status: 503 })
  })

  test('is asked for once, without redirects, for many messages at the same time', async () => {
    const fetching = served()
    const scheme = awsSns({ fetch: fetching, now })
    const receiver = createReceiver(topic, { scheme, onRejected: false })
    const all = Object.values(messages).map((message) => receiver.receiveRequest(request(message)))
    expect(await Promise.all(all)).toHaveLength(4)
    expect(fetching).toHaveBeenCalledTimes(1)
    expect(fetching.mock.calls[0]?.[1]).toMatchObject({ redirect: 'manual' })
  })

  test('that failed is asked for again after 10 seconds, and not before', async () => {
    let time = now()
    const fetching = vi.fn<typeof fetch>(async () => new Response(certificate))
    fetching.mockResolvedValueOnce(new Response('', { status: 500 }))
    const scheme = awsSns({ fetch: fetching, now: () => time })
    const receiver = createReceiver(topic, { scheme, onRejected: false })
    const status = async () =>
      receiver.receiveRequest(request(withSubject)).then(
        () => 200,
        (error: { status: number }) => error.status,
      )
    expect(await status()).toBe(503)
    expect(await status()).toBe(503)
    expect(fetching).toHaveBeenCalledTimes(1)
    time += 10_000
    expect(await status()).toBe(200)
    expect(fetching).toHaveBeenCalledTimes(2)
  })

  test('of a made-up name keeps nobody busy: one request at a time, and few that wait', async () => {
    let open = 0
    let most = 0
    const fetching = vi.fn<typeof fetch>(async () => {
      open++
      most = Math.max(most, open)
      await new Promise((resolve) => setImmediate(resolve))
      open--
      return new Response('', { status: 403 })
    })
    const scheme = awsSns({ fetch: fetching, now })
    const receiver = createReceiver(topic, { scheme, onRejected: false })
    const sent = Array.from({ length: 50 }, (_, number) => {
      const name = number.toString(16).padStart(32, '0')
      const url = `${HOST}/SimpleNotificationService-${name}.pem`
      return receiver.receiveRequest(request({ ...withSubject, SigningCertURL: url }))
    })
    const found = await Promise.allSettled(sent)
    expect(found.every(({ status }) => status === 'rejected')).toBe(true)
    expect(most).toBe(1)
    expect(fetching.mock.calls.length).toBeLessThanOrEqual(5)
  })

  test('stays until it expires, however many names are made up', async () => {
    let time = now()
    const fetching = vi.fn<typeof fetch>(async (url) =>
      url === withSubject.SigningCertURL
        ? new Response(certificate)
        : new Response('', { status: 403 }),
    )
    const scheme = awsSns({ fetch: fetching, now: () => time })
    const receiver = createReceiver(topic, { scheme, onRejected: false })
    const send = (url: string) =>
      receiver.receiveRequest(request({ ...withSubject, SigningCertURL: url })).then(
        () => 200,
        (error: { status: number }) => error.status,
      )
    expect(await send(withSubject.SigningCertURL)).toBe(200)
    for (let number = 0; number < 30; number++) {
      const name = number.toString(16).padStart(32, '0')
      expect(await send(`${HOST}/SimpleNotificationService-${name}.pem`)).toBe(503)
    }
    time += 7 * 86_400_000
    expect(await send(withSubject.SigningCertURL)).toBe(200)
    const asked = () =>
      fetching.mock.calls.filter(([url]) => url === withSubject.SigningCertURL).length
    expect(asked()).toBe(1)
    time = Date.parse('2027-01-01')
    expect(await send(withSubject.SigningCertURL)).toBe(503)
    expect(asked()).toBe(2)
  })

  test('has the times and the key that openssl shows', () => {
    const { notBefore, notAfter, publicKey } = readCertificate(certificate)
    expect(new Date(notBefore).toISOString()).toBe('2025-11-10T00:00:00.000Z')
    expect(new Date(notAfter).toISOString()).toBe('2026-10-14T23:59:59.000Z')
    expect(publicKey.length).toBe(294)
  })
})

describe('a subscription', () => {
  const subscription = messages['a subscription']

  test('is confirmed at the host of the topic, and no handler sees it', async () => {
    const fetching = served()
    const handle = vi.fn()
    const scheme = awsSns({ fetch: fetching, now, confirm: true })
    const handler = webhookHandler(topic, handle, {
      scheme,
      onRejected: false,
      store: memoryStore(),
    })
    expect((await handler(request(subscription))).status).toBe(200)
    expect(fetching.mock.calls.map(([url]) => url)).toEqual([
      subscription.SigningCertURL,
      subscription.SubscribeURL,
    ])
    expect(handle).not.toHaveBeenCalled()
  })

  test('that cannot be confirmed is 503', async () => {
    const fetching = vi.fn<typeof fetch>(async (url) =>
      `${url}`.endsWith('.pem') ? new Response(certificate) : new Response('', { status: 500 }),
    )
    const scheme = awsSns({ fetch: fetching, now, confirm: true })
    const handler = webhookHandler(topic, async () => {}, { scheme, onRejected: false })
    expect((await handler(request(subscription))).status).toBe(503)
  })

  test('that is not signed is not confirmed', async () => {
    const fetching = served()
    const scheme = awsSns({ fetch: fetching, now, confirm: true })
    const handler = webhookHandler(topic, async () => {}, { scheme, onRejected: false })
    const forged = { ...subscription, SubscribeURL: `${HOST}/?Action=Other` }
    expect((await handler(request(forged))).status).toBe(401)
    expect(fetching).toHaveBeenCalledTimes(1)
  })

  test.each([
    `${HOST}.evil.example/`,
    `${HOST}@evil.example/`,
    `${HOST}:444/`,
    'https://evil.example/',
  ])('is not confirmed at %s', async (url) => {
    const fetching = served()
    const scheme = awsSns({ fetch: fetching, now, confirm: true })
    const key = await scheme.importKey(topic, 'The secret')
    const message = { ...subscription, SubscribeURL: url }
    const head = scheme.readHead({ method: 'POST', header: () => message.Type })
    const body = new TextEncoder().encode(JSON.stringify(message))
    expect(await scheme.handshake?.(head, body, key)).toBeUndefined()
    expect(fetching).not.toHaveBeenCalled()
  })

  test('is an event like others without the option', async () => {
    const fetching = served()
    const handle = vi.fn()
    const scheme = awsSns({ fetch: fetching, now })
    const handlers = { SubscriptionConfirmation: handle }
    const handler = webhookHandler(topic, handlers, { scheme, onRejected: false })
    expect((await handler(request(subscription))).status).toBe(200)
    expect(handle).toHaveBeenCalledTimes(1)
    expect(fetching).toHaveBeenCalledTimes(1)
  })
})

test('a secret that is not the ARN of a topic is a TypeError', () => {
  expect(() => createReceiver('whsec_x', { scheme: awsSns() })).toThrow(/is not the ARN of a topic/)
})

test('the time of a message is the one that is signed', async () => {
  const scheme = awsSns({ fetch: served(), now })
  const receiver = createReceiver(topic, { scheme, tolerance: 600, now, onRejected: false })
  await expect(receiver.receiveRequest(request(messages['version 2']))).resolves.toBeDefined()
  await expect(receiver.receiveRequest(request(messages['a subscription']))).rejects.toMatchObject({
    reason: 'timestamp_too_old',
  })
})
