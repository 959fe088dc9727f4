import { createHmac } from 'node:crypto'
import { createReceiver, type SchemeKind } from '@webhook-receiver/core'
import type { NoSchemas } from '@webhook-receiver/core/adapter'
import { signDelivery } from '@webhook-receiver/core/testing'
import * as schemes from '@webhook-receiver/schemes'
import { awsSns } from '@webhook-receiver/schemes/aws-sns'
import { describe, expect, test, vi } from 'vitest'
import { type DiagnosisInput, diagnose } from '../src/index.ts'
import { SERVICE_CODES } from './causes.ts'
import { recorded, type Service } from './services.ts'

const SECRET = recorded('stripe').secrets
const TIME = '1795392000'
const { body: BODY } = recorded('github')
const text = Buffer.from(BODY).toString()
const hmac = (key: string | Buffer, ...parts: readonly string[]) =>
  parts.reduce((mac, part) => mac.update(part), createHmac('sha256', key))

const changed = (headers: Readonly<Record<string, string>>) => ({ changed: headers })
const signature = (header: string, value: string) => changed({ [header]: value })
const github = { header: 'x-hub-signature-256', mac: hmac(SECRET, text).digest('hex') }
/** Of Stripe, which signs a text and a dot in front of the body. */
const stripe = (signed: string, header: (digits: string) => string) =>
  signature('stripe-signature', header(hmac(SECRET, `${signed}.`, text).digest('hex')))
const MILLISECONDS = stripe(`${TIME}000`, (hex) => `t=${TIME}000,v1=${hex}`)
const standard = (key: string | Buffer) => {
  const signed = [`msg_1.${TIME}.`, text]
  const value = `v1,${hmac(key, ...signed).digest('base64')}`
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': TIME, 'webhook-signature': value }
}
const whsec = recorded('standardWebhooks').secrets
const decoded = Buffer.from(whsec.slice(6), 'base64')
const BOX = Reflect.get(recorded('box').headers, 'box-signature-primary')
const SLACK = recorded('slack')
const SLACK_V1 = [
  `v1:${Reflect.get(SLACK.headers, 'x-slack-request-timestamp')}:`,
  Buffer.from(SLACK.body).toString(),
]
const NO_MAC = Buffer.alloc(32).toString('base64')
const renamed = (name: string, value: string) => ({ headers: { [name]: value } })
const proxied = (headers: Readonly<Record<string, string>>, url: string) => ({
  changed: headers,
  url,
})

type Case = readonly [
  code: string,
  what: string,
  service: Service,
  change: Parameters<typeof recorded>[1],
]

/** Valid requests of services, and what the receiver or something before it does wrong. */
const CASES: readonly Case[] = [
  ['valid', 'a public key', 'sendgrid', {}],
  ['valid', 'an id with the digit by which the timestamp behind it begins', 'twitch', {}],

  ['secret_not_decoded', 'the text as key', 'standardWebhooks', { headers: standard(whsec) }],
  [
    'secret_decoded_twice',
    'base64 in base64',
    'standardWebhooks',
    {
      secrets: `whsec_${Buffer.from(whsec.slice(6)).toString('base64')}`,
      headers: standard(decoded),
    },
  ],

  [
    'message_without_header',
    'no id signed',
    'standardWebhooks',
    {
      headers: {
        ...standard(whsec),
        'webhook-signature': `v1,${hmac(decoded, `${TIME}.`, text).digest('base64')}`,
      },
    },
  ],
  [
    'message_separator',
    'another version signed',
    'slack',
    signature('x-slack-signature', `v0=${hmac(SLACK.secrets, ...SLACK_V1).digest('hex')}`),
  ],
  [
    'signature_padding',
    'no padding',
    'square',
    signature(
      'x-square-hmacsha256-signature',
      hmac(SECRET, `${recorded('square').url}`, text)
        .digest('base64')
        .replace('=', ''),
    ),
  ],
  [
    'message_form_as_sent',
    'the URL and the form',
    'twilio',
    signature(
      'x-twilio-signature',
      createHmac('sha1', `${recorded('twilio').secrets}`)
        .update(`${recorded('twilio').url}`)
        .update(recorded('twilio').body ?? '')
        .digest('base64'),
    ),
  ],
  [
    'header_changed',
    'quotes around the id',
    'standardWebhooks',
    { headers: { ...standard(decoded), 'webhook-id': '"msg_1"' } },
  ],
  [
    'header_changed',
    'the id twice, as AWS joins them',
    'standardWebhooks',
    {
      headers: { ...standard(decoded), 'webhook-id': 'msg_1,msg_1' },
    },
  ],
  [
    'header_secondary',
    'the signatures of both keys',
    'box',
    { changed: { 'box-signature-primary': NO_MAC, 'box-signature-secondary': BOX } },
  ],
  [
    'header_secondary',
    'that of the secondary key alone',
    'box',
    { changed: { 'box-signature-primary': '', 'box-signature-secondary': BOX } },
  ],
  ['header_renamed', 'by the sender', 'github', renamed('x-signature', `sha256=${github.mac}`)],
  [
    'message_without_timestamp',
    'a variable that is not set',
    'stripe',
    stripe('undefined', (hex) => `t=${TIME},v1=${hex}`),
  ],
  [
    'message_without_url',
    'method, body and time',
    'hubspot',
    {
      headers: {
        'x-hubspot-request-timestamp': `${TIME}000`,
        'x-hubspot-signature-v3': hmac(
          recorded('hubspot').secrets,
          'POST',
          text,
          `${TIME}000`,
        ).digest('base64'),
      },
      body: BODY,
    },
  ],
  ['signature_field', 'v0=', 'stripe', stripe(TIME, (hex) => `t=${TIME},v0=${hex}`)],
  [
    'signature_white_space',
    'a space between its fields',
    'stripe',
    stripe(TIME, (hex) => `t=${TIME}, v1=${hex}`),
  ],
  [
    'signature_duplicated',
    'with another time',
    'stripe',
    stripe(TIME, (hex) => `t=1,v1=${'0'.repeat(64)},t=${TIME},v1=${hex}`),
  ],
  ['timestamp_unit', 'milliseconds signed and sent', 'stripe', MILLISECONDS],

  [
    'url_other',
    'http in place of https',
    'square',
    { url: 'http://example.com/webhooks?tenant=7' },
  ],
  [
    'url_other',
    'another host',
    'square',
    proxied({ 'x-forwarded-host': 'example.com' }, 'https://inner:8080/webhooks?tenant=7'),
  ],
  [
    'url_other',
    'a rewritten path',
    'twilio',
    proxied(
      { 'x-original-uri': '/webhooks?tenant=7', host: 'example.com' },
      'http://localhost:3000/in',
    ),
  ],
]

test.each(CASES)('%s: %s (%s)', async (code, _, service, change) => {
  const found = await diagnose(recorded(service, change))
  expect(found).toMatchObject([{ code, certainty: 'certain' }])
  expect(found[0].also).toBeUndefined()
})

test('what is unknown names which secret the service has, and the URL where that is signed', async () => {
  const forged = (service: Service) => diagnose(recorded(service, { body: Buffer.from('a=b') }))
  expect(await forged('stripe')).toEqual([
    {
      code: 'unknown',
      certainty: 'possible',
      message: expect.stringMatching(
        /^Signed with another secret, or changed on the way\. Secret fingerprint: \w{8}\.$/,
      ),
      fix: expect.stringMatching(
        /^Copy the signing secret of the endpoint again \(each endpoint has its own, and .*\)\. If it is the same, find /,
      ),
    },
  ])
  expect(await forged('twilio')).toMatchObject([
    {
      message: expect.stringMatching(/secret or for another URL, or changed on the way\. /),
      fix: expect.stringContaining(
        'same, compare the public URL with the one at the service, find ',
      ),
    },
  ])
})

test('a case produces each code that only other schemes have', () => {
  const produced = new Set(CASES.map(([code]) => code))
  expect(SERVICE_CODES.filter((code) => !produced.has(code))).toEqual([])
})

test('two causes at once', async () => {
  const [first] = await diagnose(
    recorded('square', {
      secrets: `${SECRET} `,
      url: 'http://example.com/webhooks?tenant=7',
    }),
  )
  expect(first).toMatchObject({ code: 'secret_white_space', also: 'url_other' })
  expect(first.message).toContain('matches a URL with https')
})

describe('a request that another scheme verifies', () => {
  const otherSchemes = [schemes.stripe, schemes.linear]

  test.each([
    ['another service', { scheme: schemes.github }],
    ['the contract', { scheme: undefined }],
  ])('is named, where %s was expected', async (_, { scheme }) => {
    const { url, ...request } = recorded('linear')
    const [first] = await diagnose({ ...request, scheme, otherSchemes })
    expect(first).toMatchObject({
      code: 'scheme_other',
      certainty: 'certain',
      message: 'The signature is valid by the scheme "linear".',
    })
  })

  test('is named by all schemes that it can be of', async () => {
    const { secrets, ...request } = recorded('github')
    const all = { current: 'another', previous: `${secrets}` }
    const otherSchemes = [schemes.github, schemes.linear, schemes.meta]
    const [first] = await diagnose({ ...request, secrets: all, scheme: undefined, otherSchemes })
    expect(first).toMatchObject({ secretName: 'previous', code: 'scheme_other' })
    expect(first.message).toContain('"github" or "meta"')
  })
})

test('of a malformed signature no URL is tried', async () => {
  const header = 'x-square-hmacsha256-signature'
  const request = recorded('square', { changed: { [header]: 'x', host: 'a.example' } })
  const { scheme = schemes.square } = request
  const readHead = vi.fn(scheme.readHead)
  const [{ code }] = await diagnose({
    ...request,
    scheme: { ...scheme, readHead },
    body: undefined,
  })
  expect(code).toBe('unknown')
  const urls = new Set(readHead.mock.calls.map(([{ url }]) => url))
  expect([...urls]).toEqual([request.url])
})

describe('a certificate that cannot be had is no match, and ends no diagnosis', () => {
  const topic = 'arn:aws:sns:eu-west-1:123456789012:orders'
  const host = 'https://sns.eu-west-1.amazonaws.com'
  const message = {
    Type: 'Notification',
    MessageId: 'id-1',
    TopicArn: topic,
    Message: 'Hello',
    Timestamp: '2026-11-23T00:00:00.000Z',
    SignatureVersion: '2',
    Signature: Buffer.alloc(256).toString('base64'),
    SigningCertURL: `${host}/SimpleNotificationService-${'0'.repeat(32)}.pem`,
  }
  const unreachable = async () => {
    throw new Error('ENOTFOUND')
  }
  const scheme = awsSns({ fetch: unreachable })
  const request = {
    secrets: topic,
    headers: { 'x-amz-sns-message-type': 'Notification' },
    // As received it is no message, and what is inside the JSON string is one.
    body: Buffer.from(JSON.stringify(JSON.stringify(message))),
  }

  test.each<[string, Partial<DiagnosisInput>]>([
    ['for a body in another form', { scheme }],
    ['for another scheme', { otherSchemes: [scheme], body: Buffer.from(JSON.stringify(message)) }],
  ])('%s', async (_, change) => {
    const [{ certainty }] = await diagnose({ ...request, ...change })
    expect(certainty).toBe('possible')
  })

  test('and no other secret is guessed, since SNS has none', async () => {
    const body = Buffer.from(JSON.stringify({ ...message, Message: 'changed' }))
    const [{ code, message: said, fix }] = await diagnose({ ...request, scheme, body })
    expect(code).toBe('unknown')
    expect(`${said} ${fix}`).not.toContain('secret')
  })
})

describe('what no signature proves is possible', () => {
  const possible = async (input: DiagnosisInput) =>
    (await diagnose(input)).map(({ code, certainty }) => `${code} ${certainty}`)

  test.each(['sk_live_1', 'ghp_1', 'xoxb-1', 'lin_api_1'])('an API key: %s', async (secrets) => {
    expect(await possible(recorded('github', { secrets }))).toEqual(['secret_api_key possible'])
  })

  test('but no API key where the service signs with that', async () => {
    const { headers, body } = await signDelivery('sk_test_1', {}, { scheme: schemes.paystack })
    const input = { scheme: schemes.paystack, headers, body }
    expect(await possible({ ...input, secrets: 'sk_live_1' })).toEqual(['unknown possible'])
  })

  test('a header of another service that could be its own under another name', async () => {
    const { headers, body } = await signDelivery('a secret', {}, { scheme: schemes.razorpay })
    const input = { headers, body, secrets: 'another', scheme: schemes.linear }
    expect(await possible(input)).toEqual(['signature_missing possible'])
  })

  test('a prefix where the service writes none', async () => {
    const { headers, body } = await signDelivery('a secret', {}, { scheme: schemes.razorpay })
    const sent = { 'x-razorpay-signature': `sha256=${headers['x-razorpay-signature']}` }
    const input = { headers: sent, body, secrets: 'a secret', scheme: schemes.razorpay }
    expect(await diagnose(input)).toMatchObject([
      {
        message: 'The signature has a prefix, of which the service writes none.',
        fix: 'Write the signature in lowercase hexadecimal, and nothing in front of it.',
      },
    ])
  })

  test('a header of another service', async () => {
    const [first] = await diagnose(recorded('stripe', { scheme: schemes.github }))
    expect(first).toMatchObject({ code: 'signature_missing', certainty: 'possible' })
    expect(first.message).toContain("Another service's header: stripe-signature")
  })

  test('a header that is not as it should be, without the body', async () => {
    const { headers, scheme } = recorded('stripe', MILLISECONDS)
    expect(await possible({ headers, scheme, secrets: SECRET })).toEqual([
      'timestamp_unit possible',
    ])
    const odd = { headers: { 'stripe-signature': 'odd' }, scheme, secrets: SECRET }
    expect(await possible(odd)).toEqual(['unknown possible'])
    expect(await possible({ ...odd, body: BODY })).toEqual(['signature_malformed possible'])
  })

  test('a body that the service cannot have signed, whatever the secret', async () => {
    for (const body of ['{"a":1}', 'a=100%']) {
      const [found] = await diagnose(recorded('twilio', { body: Buffer.from(body) }))
      expect([body, found.message]).toEqual([
        body,
        'The service signs no such body, so no secret can match.',
      ])
    }
    const [other] = await diagnose(recorded('twilio', { body: Buffer.from('a=1') }))
    expect(other.message).toMatch(/^Signed with another secret/)
  })

  test('a body that was cut', async () => {
    const cut = recorded('github', {
      body: BODY.subarray(0, 20),
      changed: { 'content-length': '69' },
    })
    expect(await possible(cut)).toEqual(['body_length_changed possible'])
  })
})

test('no finding contains a secret, a signature, a URL or a part of the body', async () => {
  for (const [, , service, change] of CASES) {
    const found = JSON.stringify(await diagnose(recorded(service, change)))
    expect(found).not.toMatch(/Vectors only|VmVjdG9y|tenant=7|note\.created|76bb6939|250f606e/)
  }
})

test('is the diagnose option of a receiver with a scheme', async () => {
  const { headers, body } = recorded('square')
  const receiver = createReceiver<Request, NoSchemas, never, SchemeKind>(SECRET, {
    scheme: schemes.square,
    publicUrl: 'http://example.com',
    diagnose,
    onRejected: false,
  })
  const url = 'http://localhost/webhooks?tenant=7'
  const init = { method: 'POST', headers: { ...headers }, body: Uint8Array.from(body) }
  await expect(receiver.receiveRequest(new Request(url, init))).rejects.toMatchObject({
    status: 401,
    reason: 'signature_mismatch',
    detail: expect.stringMatching(
      /^Signed for another URL: the signature matches a URL.*\(diagnosis: url_other\)$/,
    ),
  })
})
