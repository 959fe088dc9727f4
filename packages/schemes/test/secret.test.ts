import { webhookHandler } from '@webhook-receiver/core'
import { expect, test } from 'vitest'
import {
  type DefinedScheme,
  defineScheme,
  discordEvents,
  sendgrid,
  standardWebhooks,
  wise,
} from '../src/index.ts'
import { validRequest } from './vectors.ts'

const pem = defineScheme({
  name: 'pem',
  checked: '2026-11-23',
  signature: { header: 'x-signature', encoding: 'base64' },
  keys: [{ algorithm: 'rsa-sha256', secret: 'pem' }],
  signed: ['body'],
})

const P256 = validRequest(sendgrid).secret

test.each<[string, DefinedScheme, string, RegExp]>([
  [
    'is not base64',
    standardWebhooks,
    'whsec_a-b',
    /The secret is not written in base64.*whsec_ or whpk_/,
  ],
  [
    'is a public key without its prefix',
    standardWebhooks,
    validRequest(discordEvents).secret,
    /has no prefix\. .*whsec_ or whpk_/,
  ],
  ['is empty behind its prefix', standardWebhooks, 'whsec_', /is not written in base64/],
  ['has another length', standardWebhooks, 'whpk_AAAA', /has 3 bytes, but a public key has 32/],
  ['is not hexadecimal', discordEvents, 'xyz', /is not written in .*hexadecimal/],
  ['is cut off', discordEvents, 'ab'.repeat(31), /has 31 bytes/],
  ['is no key at all', sendgrid, 'AAAA', /not an ecdsa-p256 key that this runtime can use/],
  [
    'is a key of another kind',
    pem,
    `-----BEGIN PUBLIC KEY-----\n${P256}\n-----END PUBLIC KEY-----`,
    /not an rsa-sha256 key/,
  ],
  ['is not PEM', pem, P256, /is not written in PEM/],
])('a secret that %s is a TypeError', async (_what, scheme, secret, message) => {
  const importing = async () => scheme.importKey(secret, 'The secret')
  await expect(importing()).rejects.toThrow(message)
  await expect(importing()).rejects.toThrow(TypeError)
})

test('no message quotes the secret', async () => {
  const importing = async () => standardWebhooks.importKey('whsec_not-base-64', 'The secret')
  const error = await importing().catch((thrown: unknown) => `${thrown}`)
  expect(error).not.toContain('not-base-64')
})

test('a public key in upper-case digits is the same key', async () => {
  const { secret } = validRequest(discordEvents)
  expect(await discordEvents.importKey(secret.toUpperCase(), 'The secret')).toBeDefined()
})

test.each([
  ['several lines', '\n'],
  ['\\n, as in an .env file', '\\n'],
  ['one line', ''],
])('a receiver takes a public key in PEM with %s', async (_how, lineBreak) => {
  const { secret, headers } = validRequest(wise)
  const key = secret.replaceAll('\n', lineBreak)
  const POST = webhookHandler(key, async () => {}, { scheme: wise, onRejected: false })
  const request = (body: string) =>
    new Request('http://localhost/', { method: 'POST', headers, body })
  expect((await POST(request(text(validRequest(wise).body)))).status).toBe(200)
  expect((await POST(request('{}'))).status).toBe(401)
})

function text(body: Uint8Array): string {
  return Buffer.from(body).toString()
}
