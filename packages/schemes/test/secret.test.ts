import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { createReceiver, type Scheme, webhookHandler } from '@webhook-receiver/core'
import { expect, test, vi } from 'vitest'
import {
  type DefinedScheme,
  defineScheme,
  discordEvents,
  github,
  mollie,
  sendgrid,
  standardWebhooks,
  stripe,
  wise,
} from '../src/index.ts'
import { ACME } from './acme.ts'
import { requestOf } from './signed.ts'
import { validRequest } from './vectors.ts'

const pem = defineScheme({ ...ACME, keys: [{ algorithm: 'rsa-sha256', secret: 'pem' }] })

const P256 = validRequest(sendgrid).secret
const pemOf = (text: string) => `-----BEGIN PUBLIC KEY-----\n${text}\n-----END PUBLIC KEY-----`

// What each service is mistaken in is data: schemes.json has it, and schema.test.ts compares.
test.each<[string, DefinedScheme, string, RegExp]>([
  ['is not base64', standardWebhooks, 'whsec_a-b', /is not written in base64.*whsec_ or whpk_/],
  ['is text', standardWebhooks, 'not in base64', /pass whsec_ followed by that text in base64/],
  ['has no prefix', standardWebhooks, 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', /Put whsec_ in front/],
  [
    'is a public key without its prefix',
    standardWebhooks,
    validRequest(discordEvents).secret,
    /has no prefix\. Put whsec_ in front of it .*begins with whpk_/,
  ],
  ['is empty behind its prefix', standardWebhooks, 'whsec_', /is not written in base64/],
  ['has another length', standardWebhooks, 'whpk_AAAA', /has 3 bytes, but a public key has 32/],
  ['is not hexadecimal', discordEvents, 'xyz', /is not written in .*hexadecimal/],
  [
    'is the token of a bot',
    discordEvents,
    'MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.abc',
    /hexadecimal digits\. Pass the public key of the application/,
  ],
  ['is cut off', discordEvents, 'ab'.repeat(31), /has 31 bytes/],
  ['is no key at all', sendgrid, 'AAAA', /not an ecdsa-p256 key that can be used/],
  ['is a key of another kind', pem, pemOf(P256), /not an rsa-sha256 key/],
  ['is not PEM', pem, P256, /is not written in PEM/],
  [
    'is an API key',
    stripe,
    'sk_test_1',
    /begins with "sk_": that is an API key\. Pass the signing secret of the endpoint of Stripe, which begins with "whsec_"/,
  ],
  ['is a URL', stripe, 'https://example.com', /the URL of the endpoint/],
  [
    'is a public key where one is shared',
    mollie,
    pemOf(P256),
    /begins with "-----BEGIN": that is a key or a certificate, and no shared secret\. Pass the/,
  ],
])('a secret that %s is a TypeError', (_what, scheme, secret, message) =>
  expectRejected(scheme, secret, message),
)

test('where people make the secret up, one of another kind is a warning', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  createReceiver('github_pat_11AAA', { scheme: github })
  expect(String(warn.mock.calls)).toMatch(
    /begins with "github_pat_": that is a personal access token/,
  )
})

test('a public key in PEM is taken where a dashboard shows less', () => {
  const begins = { called: 'it', begins: '-----BEGIN' }
  for (const scheme of [sendgrid, defineScheme({ ...sendgrid.value, secret: begins })]) {
    expect(() => createReceiver(pemOf(P256), { scheme: scheme as Scheme })).not.toThrow()
  }
})

async function expectRejected(scheme: DefinedScheme, secret: string, message: RegExp) {
  const given: Scheme = scheme
  const starting = async () => {
    await scheme.importKey(secret, 'The secret')
    createReceiver(secret, { scheme: given })
  }
  await expect(starting()).rejects.toThrow(message)
  await expect(starting()).rejects.toThrow(TypeError)
  // A prefix alone is no secret.
  if (!secret.endsWith('_')) await expect(starting()).rejects.not.toThrow(secret)
}

/** The y coordinates of the eight points whose order divides 8, and those that are the same modulo p = 2^255 - 19. */
const P = 2n ** 255n - 19n
const ORDER_8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n
const SMALL = [0n, 1n, P - 1n, P, P + 1n, ORDER_8, P - ORDER_8]

/** The 32 bytes of a public key: y, the least significant byte first, and the sign of x in the last bit. */
function pointOf(y: bigint, sign: 0 | 1 = 0): Buffer {
  return Buffer.from((y + (BigInt(sign) << 255n)).toString(16).padStart(64, '0'), 'hex').reverse()
}

const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

const ed25519 = (secret: 'hex' | 'base64' | 'spki' | 'pem') =>
  defineScheme({ ...ACME, keys: [{ algorithm: 'ed25519', secret }] })

/** Every way to write a public key, as a scheme and its secret. */
const forms = (point: Buffer): readonly (readonly [DefinedScheme, string])[] => {
  const der = Buffer.concat([SPKI, point])
  return [
    [ed25519('hex'), point.toString('hex')],
    [ed25519('base64'), point.toString('base64')],
    [ed25519('spki'), der.toString('base64')],
    [ed25519('pem'), pemOf(der.toString('base64'))],
    [standardWebhooks, `whpk_${point.toString('base64')}`],
    [discordEvents, point.toString('hex')],
  ]
}

const WEAK =
  /^The secret is not an ed25519 key that can be used: it is a weak key, with which anyone can sign\. Pass the /
const NO_POINT = /it is no point of the curve, so no signature is valid\. Pass the /

test.each([
  ...SMALL.flatMap((y) => [pointOf(y), pointOf(y, 1)]).map((point) => [WEAK, point] as const),
  [NO_POINT, pointOf(2n)],
  // Written with a number above the field.
  [NO_POINT, pointOf(P + 3n)],
  [NO_POINT, Buffer.alloc(32, 255)],
] as const)('an Ed25519 key is a TypeError in each form, %s: %#', async (message, point) => {
  for (const [scheme, secret] of forms(point)) await expectRejected(scheme, secret, message)
})

/** An RSA key of so many bits with this exponent, whose private key nobody has. */
function rsa(bits: number, exponent: bigint): string {
  const n = Buffer.alloc(bits / 8, 255).toString('base64url')
  const digits = exponent.toString(16)
  const e = Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex').toString('base64url')
  const key = createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' })
  return key.export({ type: 'spki', format: 'pem' }).toString()
}

test.each([
  [2048, 65537n, undefined],
  [4096, 2n ** 32n - 1n, undefined],
  [4104, 65537n, 'it has 4104 bits instead of at most 4096'],
  [2048, 2n ** 32n + 1n, 'its exponent has more than 32 bits'],
  // By such a key, a request that nobody has signed costs 0.7 s.
  [3072, 2n ** 3064n + 1n, 'its exponent has more than 32 bits'],
])('an RSA key of %i bits costs little, or is a TypeError: %#', async (bits, exponent, fault) => {
  const importing = async () => pem.importKey(rsa(bits, exponent), 'The secret')
  if (fault === undefined) await expect(importing()).resolves.toBeDefined()
  else await expect(importing()).rejects.toThrow(`rsa-sha256 key that can be used: ${fault}`)
})

test('an Ed25519 key with a byte behind it is a TypeError, whatever its point is', async () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const usable = publicKey.export({ type: 'spki', format: 'der' })
  for (const der of [usable, Buffer.concat([SPKI, pointOf(1n)])]) {
    const longer = Buffer.concat([der, Buffer.of(3)]).toString('base64')
    await expectRejected(ed25519('pem'), pemOf(longer), /./)
  }
})

test('every key that a service can have is taken in each form', async () => {
  for (let count = 0; count < 50; count++) {
    const { publicKey } = generateKeyPairSync('ed25519')
    const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
    for (const [scheme, secret] of forms(point)) {
      expect(await scheme.importKey(secret, 'The secret')).toBeDefined()
    }
  }
})

test('a public key in upper-case digits is the same key', async () => {
  const { secret } = validRequest(discordEvents)
  expect(await discordEvents.importKey(secret.toUpperCase(), 'The secret')).toBeDefined()
})

// sent-requests.json has those with line breaks.
test.each<[string, (pem: string) => string]>([
  ['indented lines, as in a template literal', (pem) => `\n${pem}\n`.replaceAll('\n', '\n    ')],
  ['\\n, also at its end', (pem) => `${pem}\n`.replaceAll('\n', '\\n')],
  ['\\r\\n, also at its end', (pem) => `${pem}\n`.replaceAll('\n', '\\r\\n')],
  ['one line', (pem) => pem.replaceAll('\n', '')],
  ['spaces for its line breaks', (pem) => pem.replaceAll('\n', ' ')],
])('a receiver takes a public key in PEM with %s', async (_how, write) => {
  const { secret, headers, body } = validRequest(wise)
  const handler = webhookHandler(write(secret), async () => {}, { scheme: wise })
  expect((await handler(requestOf({ headers, body }))).status).toBe(200)
})
