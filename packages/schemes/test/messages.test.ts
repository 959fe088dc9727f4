import { createReceiver, type Scheme } from '@webhook-receiver/core'
import { expect, test, vi } from 'vitest'
import * as schemes from '../src/index.ts'

const { discordInteractions, github, sendgrid, standardWebhooks, stripe, twilio } = schemes

type Headers = Readonly<Record<string, string>>

/** What the operator shows of a request to a receiver of this scheme. */
async function detailOf(
  scheme: Scheme,
  headers: Headers,
  { method = 'POST', secret = 'a secret' } = {},
): Promise<readonly [status: number, detail: string]> {
  const seen: [number, string][] = []
  const receiver = createReceiver(secret, {
    scheme,
    ...(scheme.signsUrl && { publicUrl: 'https://app.example.com' }),
    onRejected: ({ status, detail }) => seen.push([status, detail]),
  })
  const request = new Request('http://localhost/hook', {
    method,
    headers,
    ...(method === 'POST' && { body: '{}' }),
  })
  await expect(receiver.receiveRequest(request)).rejects.toThrow()
  return seen[0] ?? [0, '']
}

test.each<[string, Scheme, Headers, RegExp]>([
  [
    'a GitHub webhook without a secret',
    github,
    { 'x-github-event': 'ping' },
    /If GitHub sent it, its webhook has no secret: fill in the field Secret/,
  ],
  [
    'GitHub Enterprise with SHA-1 only',
    github,
    { 'x-github-event': 'ping', 'x-hub-signature': 'sha1=00' },
    /^x-hub-signature is SHA-1, which is not accepted\. Switch X-Hub-Signature-256 on at GitHub/i,
  ],
  [
    'the first request of Notion',
    schemes.notion,
    {},
    /If Notion sent it, confirm its `verification_token` there, and pass it here/,
  ],
  [
    'the default format at a service',
    stripe,
    { 'x-webhook-signature': 'sha256=' },
    /Leave out `scheme`/,
  ],
  [
    'another service',
    stripe,
    { 'x-hub-signature-256': 'sha256=' },
    /Pass its scheme: github or meta\./,
  ],
])(
  'a certain cause is the message, and no proxy is blamed: %s',
  async (_, scheme, headers, text) => {
    const secret = scheme === stripe ? 'whsec_MQ==' : 'a secret'
    const [status, detail] = await detailOf(scheme, headers, { secret })
    expect(status).toBe(401)
    expect(detail).toMatch(text)
    expect(detail).not.toContain('proxy')
  },
)

test.each<[Scheme, Headers, RegExp]>([
  [twilio, { 'x-twilio-signature': '00' }, /^Twilio sends GET: choose HTTP POST/],
  [
    github,
    { 'x-github-event': 'push' },
    /^GitHub sends GET: choose POST there, or register the URL behind the redirect/,
  ],
  [twilio, {}, /Give browsers and health checks another route/],
])(
  'a service that is set to GET shows as that, and a browser as a browser',
  async (scheme, headers, text) => {
    const [status, detail] = await detailOf(scheme, headers, { method: 'GET' })
    expect(status).toBe(405)
    expect(detail).toMatch(text)
  },
)

/** SPKI of P-256 in base64, from the tests of its SDK. */
const PUBLIC_KEY =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g=='
const PEM = `-----BEGIN PUBLIC KEY-----\n${PUBLIC_KEY}\n-----END PUBLIC KEY-----`

// What each service is mistaken in is data: schemes.json has it, and schema.test.ts compares.
test.each<[Scheme, string, RegExp]>([
  [
    stripe,
    'sk_test_1',
    /begins with "sk_": that is an API key\. Pass the signing secret of the endpoint of Stripe, which begins with "whsec_"/,
  ],
  [stripe, 'https://example.com', /the URL of the endpoint/],
  [
    schemes.mollie,
    PEM,
    /begins with "-----BEGIN": that is a key or a certificate, and no shared secret\. Pass the/,
  ],
  [
    discordInteractions,
    'MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.abc',
    /hexadecimal digits\. Pass the public key of the application/,
  ],
  [standardWebhooks, 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', /Put whsec_ in front of it/],
  [standardWebhooks, 'not in base64', /pass whsec_ followed by that text in base64/],
])('a wrong kind of secret is a TypeError that names both: %#', (scheme, secret, text) => {
  const publicUrl = scheme.signsUrl && { publicUrl: 'https://app.example.com' }
  const make = () => createReceiver(secret, { scheme, ...publicUrl })
  expect(make).toThrow(TypeError)
  expect(make).toThrow(text)
  expect(make).not.toThrow(secret)
})

test('where people make it up, it is a warning', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  createReceiver('github_pat_11AAA', { scheme: github })
  expect(String(warn.mock.calls)).toMatch(
    /begins with "github_pat_": that is a personal access token/,
  )
})

test.each([
  ['v1,whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=', standardWebhooks],
  ['v1,whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=', schemes.supabase],
  [PEM, sendgrid],
  [
    PEM,
    schemes.defineScheme({ ...sendgrid.value, secret: { called: 'it', begins: '-----BEGIN' } }),
  ],
])('a secret is taken as a dashboard shows it: %#', (secret, scheme) => {
  expect(() => createReceiver(secret, { scheme: scheme as Scheme })).not.toThrow()
})
