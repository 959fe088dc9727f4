import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Scheme } from '@webhook-receiver/core'
import { type Algorithm, type KeyForm, publicFormOf } from '@webhook-receiver/schemes/neighbours'

/** Keys with which a test stands in for a service that shares no secret. */
export interface KeyPair {
  /** In PEM (PKCS #8). It signs: the secret of `deliverTo` and `signDelivery`. */
  readonly privateKey: string
  /** As the service shows its own: the secret of the receiver. */
  readonly publicKey: string
}

/**
 * Makes a pair of keys for a service that signs with a private key, for a test. `webhook-receiver keys` does it on the command line.
 *
 * @param privateKey one in PEM, to get the pair that it is of.
 * @throws TypeError for a service that shares its secret, which signs already, for one whose keys are certificates, and for a private key of
 * another kind.
 *
 * @example
 * const { privateKey, publicKey } = keyPairFor(telnyx)
 * app.post('/webhooks', webhookHandler(publicKey, handlers, { scheme: telnyx }))
 * await deliverTo(app, 'message.received', {}, { scheme: telnyx, secret: privateKey })
 */
export function keyPairFor(scheme: Scheme, privateKey?: string): KeyPair {
  const form = publicFormOf(scheme)
  if (!form) {
    const why = scheme.sign
      ? 'shares its secret, which signs: no other key is needed'
      : 'signs with a certificate, so no other key can take its place'
    throw new TypeError(`${scheme.title ?? scheme.name} ${why}.`)
  }
  const key = privateKey === undefined ? newKey(form) : readKey(form, privateKey)
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { privateKey: pem, publicKey: shown(form, createPublicKey(pem)) }
}

/** A key of a file, or of a variable, where a line break is a backslash and a letter. */
function readKey({ algorithm }: KeyForm, text: string): KeyObject {
  const key = parsed(text.replaceAll('\\n', '\n'))
  const { namedCurve } = key.asymmetricKeyDetails ?? {}
  const found = [key.asymmetricKeyType, namedCurve].filter(Boolean).join(' ')
  if (found === TYPES[algorithm]) return key
  throw new TypeError(`The private key should be one for ${algorithm}, and it is one for ${found}.`)
}

function parsed(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch (cause) {
    throw new TypeError(
      'The private key should be in PEM, which begins with -----BEGIN PRIVATE KEY-----, and without a passphrase.',
      { cause },
    )
  }
}

const TYPES: Readonly<Partial<Record<Algorithm, string>>> = {
  ed25519: 'ed25519',
  'ecdsa-p256': 'ec prime256v1',
  'rsa-sha256': 'rsa',
}

function newKey({ algorithm }: KeyForm): KeyObject {
  if (algorithm === 'ed25519') return generateKeyPairSync(algorithm).privateKey
  return algorithm === 'ecdsa-p256'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    : generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
}

/** A public key as the service shows it. */
function shown({ secret, secretPrefix = '' }: KeyForm, key: KeyObject): string {
  if (secret === 'pem') return key.export({ type: 'spki', format: 'pem' }).toString().trim()
  const der = key.export({ type: 'spki', format: 'der' })
  // Of Ed25519, the key itself is behind 12 bytes (RFC 8410, section 4).
  const bytes = secret === 'spki' ? der : der.subarray(12)
  return secretPrefix + bytes.toString(secret === 'hex' ? 'hex' : 'base64')
}
