import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { createReceiver, type Scheme } from '@webhook-receiver/core'
import { prepareDelivery, signDelivery } from '@webhook-receiver/core/testing'
import { describe, expect, test } from 'vitest'
import { awsSns } from '../src/aws-sns/index.ts'
import {
  discordInteractions,
  sendgrid,
  standardWebhooks,
  stripe,
  telnyx,
  wise,
} from '../src/index.ts'
import { keyPairFor } from '../src/service-file.ts'
import { receive } from './signed.ts'

type Header = (name: string) => string

/** What the documentation of each service says: the header, its encoding, what is signed in front of the body, and how the key is shown. */
const SERVICES: readonly (readonly [
  scheme: Scheme,
  key: (text: string) => KeyObject,
  signature: (header: Header) => Buffer,
  before: (header: Header) => string,
])[] = [
  [
    telnyx,
    (text) => raw(Buffer.from(text, 'base64')),
    (header) => Buffer.from(header('telnyx-signature-ed25519'), 'base64'),
    (header) => `${header('telnyx-timestamp')}|`,
  ],
  [
    discordInteractions,
    (text) => raw(Buffer.from(text, 'hex')),
    (header) => Buffer.from(header('x-signature-ed25519'), 'hex'),
    (header) => header('x-signature-timestamp'),
  ],
  [
    sendgrid,
    (text) => createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' }),
    (header) => Buffer.from(header('x-twilio-email-event-webhook-signature'), 'base64'),
    (header) => header('x-twilio-email-event-webhook-timestamp'),
  ],
  [
    wise,
    (text) => createPublicKey(text),
    (header) => Buffer.from(header('x-signature-sha256'), 'base64'),
    () => '',
  ],
  [
    standardWebhooks,
    (text) => raw(Buffer.from(text.replace(/^whpk_/, ''), 'base64')),
    (header) => Buffer.from(header('webhook-signature').replace(/^v1a,/, ''), 'base64'),
    (header) => `${header('webhook-id')}.${header('webhook-timestamp')}.`,
  ],
]

/** An Ed25519 key of 32 bytes, as Node takes it (RFC 8037, section 2). */
function raw(bytes: Buffer): KeyObject {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }
  return createPublicKey({ key: jwk, format: 'jwk' })
}

describe.each(SERVICES)('a pair of keys for $0.name', (scheme, read, signatureOf, before) => {
  const { privateKey, publicKey } = keyPairFor(scheme)
  test('signs what its public key verifies, with other code than ours too', async () => {
    // A signature of ECDSA has another length each time.
    for (let times = 0; times < 20; times++) {
      const { headers, body } = await signDelivery(privateKey, { text: 'é' }, { scheme })
      const header = (name: string) => String(headers[name])
      const content = Buffer.concat([Buffer.from(before(header)), body])
      const key = read(publicKey)
      const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
      expect(verify(hash, content, key, signatureOf(header))).toBe(true)
      const sent = { secret: publicKey, headers, body }
      expect(await receive(scheme, sent, { now: Date.now })).toBeDefined()
    }
  })

  test('is the same for its private key, from a file or from a variable', () => {
    expect(keyPairFor(scheme, privateKey)).toEqual({ privateKey, publicKey })
    const inOneLine = privateKey.replaceAll('\n', '\\n')
    expect(keyPairFor(scheme, inOneLine)).toEqual({ privateKey, publicKey })
  })

  test('is of another kind than a private key of another service', () => {
    const other = keyPairFor(scheme === wise ? sendgrid : wise).privateKey
    expect(() => keyPairFor(scheme, other)).toThrow(/The private key should be one for .*, and/)
    // A variable that is not set makes no new one.
    expect(() => keyPairFor(scheme, '')).toThrow('The private key should be in PEM')
  })

  test('has a private key that no receiver takes', async () => {
    const created = async () => createReceiver(privateKey, { scheme } as object)
    await expect(created()).rejects.toThrow(
      /^The secret of the endpoint ".*"(?: is a private key, which signs|.* is a key or a certificate, and no shared secret)\. Pass the /,
    )
  })

  test('has a public key that signs nothing', async () => {
    await expect(signDelivery(publicKey, {}, { scheme })).rejects.toThrow(
      new RegExp(`its private key.*\`npx webhook-receiver keys ${scheme.name}\` makes a pair`),
    )
    const key = await scheme.importKey(publicKey, 'The secret')
    const parts = { id: 'a', event: '', time: 0, url: '' }
    const signed = async () => scheme.sign?.(key, new Uint8Array(), parts)
    await expect(signed()).rejects.toThrow(/Only .* itself can sign this request/)
  })

  test('is replaced by one of its kind where a delivery is signed with another secret', async () => {
    const options = { scheme, secret: privateKey, tamper: 'wrong-secret' } as const
    const { headers, body } = await prepareDelivery('test', {}, options)
    const sent = { secret: publicKey, headers, body }
    await expect(receive(scheme, sent, { now: Date.now })).rejects.toMatchObject({
      reason: 'signature_mismatch',
    })
  })
})

test('there is none for a service that shares its secret, or signs with a certificate', () => {
  expect(() => keyPairFor(stripe)).toThrow('Stripe shares its secret, which signs')
  expect(() => keyPairFor(awsSns())).toThrow('Amazon SNS signs with a certificate')
})

test('a private key in another form is named', async () => {
  const sec1 = '-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----'
  await expect(signDelivery(sec1, {}, { scheme: sendgrid })).rejects.toThrow(
    /should begin with -----BEGIN PRIVATE KEY----- \(PKCS #8\)/,
  )
})
