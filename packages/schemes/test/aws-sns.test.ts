import { seeded } from '@webhook-receiver/checks/seeded.mjs'
import { createReceiver, memoryStore, webhookHandler } from '@webhook-receiver/core'
import { loader, readCertificate } from '@webhook-receiver/core/internal'
import { describe, expect, test, vi } from 'vitest'
import recorded from '../../conformance/schemes/aws-sns.json' with { type: 'json' }
import { readPem } from '../src/aws-sns/certificates.ts'
import { awsSns } from '../src/aws-sns/index.ts'
import { readMessage } from '../src/aws-sns/message.ts'

const { clock, topic, certificate, messages } = recorded
const now = () => Date.parse(clock)
const HOST = 'https://sns.us-west-2.amazonaws.com'
const withSubject = messages['with a subject']
const { MessageId, Subject, Signature, SigningCertURL } = withSubject
const certificatePath = SigningCertURL.slice(HOST.length)
const other = topic.replace('dongie', 'other')

const served = (text = certificate, status = 200) =>
  vi.fn<typeof fetch>(async () => new Response(text, { status }))

function request(
  message: string | object,
  headers: HeadersInit = { 'x-amz-sns-message-type': 'Notification' },
): Request {
  const body = typeof message === 'string' ? message : JSON.stringify(message)
  return new Request('https://example.com', { method: 'POST', body, headers })
}

/** The URL of a certificate that does not exist. */
const madeUp = (number: number) =>
  `${HOST}/SimpleNotificationService-${number.toString(16).padStart(32, '0')}.pem`

/**
 * How often a certificate has to be asked for, four times a second, until it is there, while so many others a second are named that do
 * not exist. AWS responds after 60 ms. The clock is a variable.
 */
async function attemptsDuringFlood(rate: number, random: () => number): Promise<number> {
  let [time, forged, attempts, isThere] = [0, 0, 0, false]
  const responses: { readonly at: number; readonly respond: () => void }[] = []
  const load = loader({ now: () => time, random }, (name) => {
    const found = { value: name, until: Number.POSITIVE_INFINITY }
    return new Promise<typeof found>((resolve, reject) => {
      const respond = () => (name === 'ours' ? resolve(found) : reject(new Error('403')))
      responses.push({ at: time + 60, respond })
    })
  })
  const ask = (name: string, found = () => {}) => void load(name).then(found, () => {})
  for (let step = 1; !isThere && step < 400; step++) {
    for (; forged < (step * rate) / 100; forged++) ask(`${forged}`)
    if (step % 25 === 0) {
      attempts++
      ask('ours', () => {
        isThere = true
      })
    }
    time += 10
    while (responses[0] && responses[0].at <= time) responses.shift()?.respond()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return attempts
}

type Options = Parameters<typeof awsSns>[0]

function receiverOf(options: Options = {}, secret: string | Record<string, string> = topic) {
  const scheme = awsSns({ fetch: served(), now, ...options })
  return createReceiver(secret, { scheme, onRejected: false })
}

/** The status of a rejection, or 200. */
function statusOf(
  message: string | object,
  options?: Options,
  { receiveRequest } = receiverOf(options),
): Promise<number> {
  return receiveRequest(request(message)).then(
    () => 200,
    (error: { status: number }) => error.status,
  )
}

test.each(Object.entries<Record<string, string>>(messages))(
  "a message in the tests of AWS's SDK is received: %s",
  async (_name, message) => {
    const sent = request({ ...message, UnsubscribeURL: 'https://a.example' })
    const { delivery, verification } = await receiverOf().receiveRequest(sent)
    const { Signature: _, SignatureVersion: __, SigningCertURL: ___, ...data } = message
    expect(delivery).toEqual({
      scheme: 'aws-sns',
      id: message.MessageId,
      event: message.Type,
      data,
    })
    expect(verification.unsigned).toEqual([])
  },
)

describe('copies of a signed message', () => {
  const written = JSON.stringify(withSubject)
  const copies: readonly (string | object)[] = [
    withSubject,
    `${written}${' '.repeat(9)}`,
    JSON.stringify(withSubject, null, 2),
    written.replace('"Type"', ' \n"Type"'),
    written.replace(':"Notification"', ':"\\u004eotification"'),
    Object.fromEntries(Object.entries(withSubject).reverse()),
    { ...withSubject, MessageAttributes: { a: { Type: 'String', Value: '1' } } },
    { ...withSubject, UnsubscribeURL: 'https://a.example' },
    ...Array.from({ length: 20 }, (_, number) => ({ ...withSubject, number })),
  ]

  test.each(['id', 'body'] as const)('run once, by `duplicates: %s`', async (duplicates) => {
    const work = vi.fn()
    const scheme = awsSns({ fetch: served(), now })
    const handler = webhookHandler(topic, work, {
      ...{ scheme, store: memoryStore(), duplicates, onRejected: false },
    })
    for (const copy of copies) expect((await handler(request(copy))).status).toBe(200)
    expect(work).toHaveBeenCalledTimes(1)
  })

  test('have one key, also if it is read after the handler wrote into the data', async () => {
    const scheme = awsSns({ fetch: served(), now })
    const receiver = createReceiver(topic, { scheme, duplicates: 'body' })
    const keys = [false, true].map(async (writes) => {
      const { delivery, verification } = await receiver.receiveRequest(request(withSubject))
      if (writes) Object.assign(delivery.data, { Message: '', MessageId: '', Subject: '' })
      return verification.key
    })
    const [early, late] = await Promise.all(keys)
    expect(late).toBe(early)
  })

  test('and each signed field but the time is in it', () => {
    const identityOf = (more: object) => JSON.stringify(read(more)?.identity())
    const changes = [
      ...[{}, { Message: 'a' }, { MessageId: 'a' }, { Subject: 'a' }, { TopicArn: 'a' }],
      ...[{ Subject: undefined }, { Message: 'b' }],
    ]
    expect(new Set(changes.map(identityOf)).size).toBe(changes.length)
    expect(identityOf({ Timestamp: '2020-01-01T00:00:00.000Z' })).toBe(identityOf({}))
  })
})

const bytesOf = (message: object) => new TextEncoder().encode(JSON.stringify(message))
const read = (more: object) => readMessage(bytesOf({ ...withSubject, ...more }))

test('half a character is in no message, because it is signed as another', () => {
  expect(read({ Message: '\u{1F600}\uFFFD' })?.content()).toBeDefined()
  expect(read({ Message: '\uD83D' })?.content()).toBeUndefined()
  expect(read({ Subject: '\uDE00' })?.content()).toBeUndefined()
})

test('a message that is not UTF-8 has no text', () => {
  const bytes = bytesOf({ ...withSubject, Message: '\u007F' })
  const message = readMessage(bytes.map((byte) => (byte === 0x7f ? 0xff : byte)))
  expect(message?.content()).toBeDefined()
  expect(message?.fields()).toBeUndefined()
})

test.each([
  ['nested arrays', `${'['.repeat(1e5)}${']'.repeat(1e5)}`],
  ['characters in its message', `"${'\\u0061'.repeat(1e5)}"`],
])('a forged message of many %s is 401, and is not parsed', async (_what, large) => {
  const forged = JSON.stringify({ ...withSubject, Signature: 'AAAA' }).slice(0, -1)
  const [sent, { receiveRequest }] = [request(`${forged},"x":${large}}`), receiverOf()]
  const parse = vi.spyOn(JSON, 'parse')
  const rejection = { status: 401, reason: 'signature_mismatch' }
  await expect(receiveRequest(sent)).rejects.toMatchObject(rejection)
  expect(parse).not.toHaveBeenCalled()
})

describe('rejects with 401', () => {
  test.each<[what: string, given: string | object, says?: RegExp, secrets?: object]>([
    ['another message', { Message: 'Hello?' }, /^The topic is the ri/, { other, topic }],
    ['another message', { Message: 'Hello?' }, /^The topic is the ri/, { topic, other }],
    [
      'a MessageId that takes the subject',
      { Subject: undefined, MessageId: `${MessageId}\nSubject\n${Subject}` },
    ],
    ['a new version', { SignatureVersion: '3' }, /: its SignatureVersion is/],
    ['a type that does not exist', { Type: '__proto__' }],
    ['a type that is long', { Type: 'x'.repeat(9000) }, /: its Type is missing/],
    ['no signature', { Signature: undefined }],
    ['a signature with a space', { Signature: ` ${Signature}` }],
    ['a signature that is not base64', { Signature: '*' }, /: its Signature is missing/],
    ['a number for a text', { MessageId: 1 }],
    ['two lines', { Subject: 'a\nb' }, /: its Subject is missing, too/],
    ['another topic', {}, /^The message is of another topic than the secret/, { other }],
    [
      'a certificate that is elsewhere',
      { SigningCertURL: 'http://localhost:4566/a.pem' },
      /^The certificate is "http:\/\/localhost:4566\/a\.pem", and not one of sns\.us-west-2\.amazonaws\.com/,
    ],
    ['no message', '{"a":1}', /^The body is no message of Amazon SNS: its Message is/],
    ['what is not JSON', '{', /^The body is no message of Amazon SNS: it is no JSON object/],
    ['no body', '', /^The body is empty/],
  ])('%s: %#', async (_what, given, says = /./, secrets = { topic }) => {
    const message = typeof given === 'string' ? given : { ...withSubject, ...given }
    const receiving = receiverOf({}, { ...secrets }).receiveRequest(request(message))
    await expect(receiving).rejects.toMatchObject({
      ...{ status: 401, reason: 'signature_mismatch', detail: expect.stringMatching(says) },
    })
  })

  test.each([
    [HOST, other],
    ['http://sns.us-west-2.amazonaws.com'],
    ['https://sns.us-west-2.amazonaws.com.evil.example'],
    ['https://sns.us-west-2.amazonaws.com@evil.example'],
    ['https://sns.us-west-2.amazonaws.com:444'],
    ['https://sns.eu-west-1.amazonaws.com'],
    [`${HOST}/../evil`],
  ])('a certificate from %s, without asking for it: %#', async (origin, secret = topic) => {
    const fetching = served()
    const message = { ...withSubject, SigningCertURL: origin + certificatePath }
    expect(await statusOf(message, {}, receiverOf({ fetch: fetching }, secret))).toBe(401)
    expect(fetching).not.toHaveBeenCalled()
  })

  test.each<[string, HeadersInit, string, RegExp]>([
    [
      'raw message delivery, and says how to turn it off',
      { 'x-amz-sns-message-type': 'Notification', 'x-amz-sns-rawdelivery': 'true' },
      'signature_malformed',
      /^x-amz-sns-rawdelivery is true.* turn raw message delivery off/,
    ],
    ['a request without the header of SNS', {}, 'signature_missing', /./],
  ])('%s', async (_what, headers, reason, says) => {
    const receiving = receiverOf().receiveRequest(request(withSubject, headers))
    const rejection = { status: 401, reason, detail: expect.stringMatching(says) }
    await expect(receiving).rejects.toMatchObject(rejection)
  })
})

describe('a certificate', () => {
  const day = (date: string) => ({ now: () => Date.parse(date) })
  test.each<[string, Options]>([
    ['does not exist', { fetch: served('', 404) }],
    [
      'is not one',
      { fetch: served('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----') },
    ],
    ['is cut off', { fetch: served(certificate.replace(/.{200}\n-----END/s, '\n-----END')) }],
    ['is too large', { fetch: served(certificate + ' '.repeat(20_000)) }],
    ['is not valid yet', day('2025-01-01')],
    ['is not valid any more', day('2027-01-01')],
  ])('that %s is 503', async (_what, options) => {
    expect(await statusOf(withSubject, options)).toBe(503)
  })

  test('is asked for once, without redirects, for many messages at the same time', async () => {
    const fetching = served()
    const receiver = receiverOf({ fetch: fetching })
    const all = Object.values(messages).map((message) => statusOf(message, {}, receiver))
    expect(await Promise.all(all)).toEqual([200, 200, 200, 200])
    expect(fetching).toHaveBeenCalledTimes(1)
    expect(fetching.mock.calls[0]?.[1]).toMatchObject({ redirect: 'manual' })
  })

  test('of a made-up name keeps nobody busy: few at the same time, and few that wait', async () => {
    let [open, most] = [0, 0]
    const fetching = vi.fn<typeof fetch>(async () => {
      most = Math.max(most, ++open)
      await new Promise((resolve) => setImmediate(resolve))
      open--
      return new Response('', { status: 403 })
    })
    const receiver = receiverOf({ fetch: fetching })
    const statuses = Array.from({ length: 500 }, (_, number) =>
      statusOf({ ...withSubject, SigningCertURL: madeUp(number) }, {}, receiver),
    )
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([503]))
    expect(most).toBe(8)
    expect(fetching).toHaveBeenCalledTimes(24)
  })

  test.each([100, 300])(
    'is used soon, while %s forged requests a second name others',
    async (rate) => {
      const attempts = await Promise.all(
        Array.from({ length: 20 }, (_, seed) => attemptsDuringFlood(rate, seeded(seed))),
      )
      expect(Math.max(...attempts)).toBeLessThanOrEqual(12)
    },
  )

  test('stays until it expires, however many names are made up', async () => {
    let time = now()
    let asked = 0
    const fetching: typeof fetch = async (url) => {
      if (url !== SigningCertURL) return new Response('', { status: 403 })
      asked++
      return new Response(certificate)
    }
    const receiver = receiverOf({ fetch: fetching, now: () => time })
    const send = (url = SigningCertURL) =>
      statusOf({ ...withSubject, SigningCertURL: url }, {}, receiver)
    expect(await send()).toBe(200)
    for (let number = 0; number < 30; number++) expect(await send(madeUp(number))).toBe(503)
    await Promise.all(Array.from({ length: 200 }, (_, number) => send(madeUp(1000 + number))))
    time += 7 * 86_400_000
    expect([await send(), asked]).toEqual([200, 1])
    time = Date.parse('2027-01-01')
    expect([await send(), asked]).toEqual([503, 2])
  })

  test('has the times and the key that openssl shows', () => {
    const { notBefore, notAfter, publicKey } = readCertificate(readPem(certificate))
    expect(new Date(notBefore).toISOString()).toBe('2025-11-10T00:00:00.000Z')
    expect(new Date(notAfter).toISOString()).toBe('2026-10-14T23:59:59.000Z')
    expect(publicKey.length).toBe(294)
  })
})

describe('a subscription', () => {
  const subscription = messages['a subscription']
  const { SubscribeURL } = subscription
  /** A handler that confirms, and where it has asked. `status` is that of the confirmation. */
  function confirming({ status = 200, confirm = true } = {}) {
    const [handle, onRejected] = [vi.fn(), vi.fn()]
    const fetching = vi.fn<typeof fetch>(async (url) =>
      `${url}`.endsWith('.pem') ? new Response(certificate) : new Response('', { status }),
    )
    const scheme = awsSns({ now, confirm, fetch: fetching })
    const handler = webhookHandler(topic, handle, { scheme, onRejected })
    const send = async (message: object = subscription) => (await handler(request(message))).status
    return { send, handle, onRejected, asked: () => fetching.mock.calls.map(([url]) => url) }
  }

  test('that cannot be confirmed is 503', async () => {
    const { send, onRejected } = confirming({ status: 500 })
    expect(await send()).toBe(503)
    expect(onRejected.mock.calls[0]?.[0].detail).toBe(
      `The confirmation failed: ${HOST}/ responded with 500.`,
    )
  })

  test('is confirmed once at the host of the topic, however often it is sent, and no handler sees it', async () => {
    const { send, handle, asked } = confirming()
    for (let times = 0; times < 2; times++) {
      const statuses = await Promise.all(Array.from({ length: 500 }, () => send()))
      expect(new Set(statuses)).toEqual(new Set([200]))
    }
    expect(asked()).toEqual([subscription.SigningCertURL, SubscribeURL])
    expect(handle).not.toHaveBeenCalled()
  })

  test('that is not signed is not confirmed', async () => {
    const { send, asked } = confirming()
    expect(await send({ ...subscription, SubscribeURL: `${HOST}/?Action=Other` })).toBe(401)
    expect(asked()).toEqual([subscription.SigningCertURL])
  })

  test.each([`${HOST}.evil.example/`, `${HOST}:444/`])('is not confirmed at %s', async (url) => {
    const fetching = served()
    const scheme = awsSns({ fetch: fetching, now, confirm: true })
    const key = await scheme.importKey(topic, 'The secret')
    const head = scheme.readHead({ method: 'POST', header: () => subscription.Type })
    const body = bytesOf({ ...subscription, SubscribeURL: url })
    expect(await scheme.handshake?.(head, body, key)).toBeUndefined()
    expect(fetching).not.toHaveBeenCalled()
  })

  test('is an event like others without the option', async () => {
    const { send, handle, asked } = confirming({ confirm: false })
    expect(await send()).toBe(200)
    expect(handle.mock.calls[0]?.[0].event).toBe('SubscriptionConfirmation')
    expect(asked()).toEqual([subscription.SigningCertURL])
  })
})

test('what was loaded is kept, but not without end', async () => {
  const loading = vi.fn(async () => ({ value: true, until: Number.POSITIVE_INFINITY }))
  const load = loader({ now, random: Math.random }, loading)
  for (let number = 0; number <= 20; number++) await load(`${number}`)
  await load('20')
  expect(loading).toHaveBeenCalledTimes(21)
  await load('0')
  expect(loading).toHaveBeenCalledTimes(22)
})

describe('a topic', () => {
  const PARTITIONS = [
    ['aws', 'eu-west-1', 'amazonaws.com'],
    ['aws-cn', 'cn-north-1', 'amazonaws.com.cn'],
    ['aws-us-gov', 'us-gov-west-1', 'amazonaws.com'],
    ['aws-eusc', 'eusc-de-east-1', 'amazonaws.eu'],
    ['aws-iso', 'us-iso-east-1', 'c2s.ic.gov'],
    ['aws-iso-b', 'us-isob-east-1', 'sc2s.sgov.gov'],
    ['aws-iso-e', 'eu-isoe-west-1', 'cloud.adc-e.uk'],
    ['aws-iso-f', 'us-isof-south-1', 'csp.hci.ic.gov'],
  ] as const

  test.each(PARTITIONS)(
    'of %s has its certificates at its own host',
    async (partition, region, suffix) => {
      const TopicArn = `arn:${partition}:sns:${region}:123456789012:orders.fifo`
      const fetching = served()
      const receiver = receiverOf({ fetch: fetching }, TopicArn)
      const urlAt = (host: string) => `https://sns.${region}.${host}${certificatePath}`
      for (const host of new Set(PARTITIONS.map(([, , each]) => each))) {
        const message = { ...withSubject, TopicArn, SigningCertURL: urlAt(host) }
        expect(await statusOf(message, {}, receiver)).toBe(401)
      }
      expect(fetching.mock.calls.map(([url]) => url)).toEqual([urlAt(suffix)])
    },
  )

  test.each([
    [
      'arn:aws-mars:sns:mars-1:123456789012:orders',
      /topic in aws-mars\. .* aws, aws-cn, aws-us-gov, aws-eusc, aws-iso, .*aws-iso-f/,
    ],
    ['arn:aws:sqs:eu-west-1:123456789012:orders'],
    ['arn:aws:sns:eu-west-1:123456789012:orders:6b0e71bd-7e97-4d97-80ce-4a0994e55286'],
    ['arn:aws:sns:evil.example/:123456789012:orders'],
    [`arn:aws:sns:eu-west-1:123456789012:${'a'.repeat(257)}`],
  ])('%s is none: a TypeError', (secret, says = /is not the ARN of a topic/) => {
    expect(() => receiverOf({}, secret)).toThrow(TypeError)
    expect(() => receiverOf({}, secret)).toThrow(says)
  })
})

test('the time of a message is the one that is signed', async () => {
  const scheme = awsSns({ fetch: served(), now })
  const receiver = createReceiver(topic, { scheme, tolerance: 600, now, onRejected: false })
  expect(await statusOf(messages['version 2'], {}, receiver)).toBe(200)
  const late = receiver.receiveRequest(request(messages['a subscription']))
  await expect(late).rejects.toMatchObject({ reason: 'timestamp_too_old' })
})

test.each([{ confrim: true }, { confirm: 'yes' }, { now: 5 }, { random: 0.5 }])(
  'rejects %s as options',
  (options) => {
    expect(() => awsSns(options as object)).toThrow(TypeError)
  },
)
