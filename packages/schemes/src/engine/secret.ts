import type { Bytes } from '../crypto/crypto.ts'
import type { KeyForm } from '../value.ts'
import { decode } from './encoding.ts'
import type { Key, Method } from './method.ts'

/** Makes the function that prepares a secret, which throws a TypeError for one that cannot be used. */
export function keyImporter(
  keys: readonly KeyForm[],
  methods: readonly Method[],
): (secret: string, label: string) => Key | Promise<Key> {
  return (secret, label) => {
    const [index, material] = readSecret(keys, secret, label)
    const ready = (handle: unknown): Key => ({ index, handle })
    const unusable = (cause: unknown) => {
      const why = cause instanceof Error ? cause.message : 'it gave no reason'
      const message = `${label} is not an ${keys[index]?.algorithm} key that this runtime can use: ${why}`
      throw new TypeError(message, { cause })
    }
    try {
      const handle = methods[index]?.importKey(material)
      return handle instanceof Promise ? handle.then(ready, unusable) : ready(handle)
    } catch (cause) {
      return unusable(cause)
    }
  }
}

/**
 * The bytes of the key that a secret stands for, and which of the scheme's keys it is.
 *
 * @throws TypeError that says what the secret should be. It never quotes the secret.
 */
function readSecret(
  keys: readonly KeyForm[],
  secret: string,
  label: string,
): readonly [index: number, material: Bytes] {
  const prefixed = keys.findIndex(({ secretPrefix = '' }) => secret.startsWith(secretPrefix))
  const index = Math.max(prefixed, 0)
  const form = keys[index] as KeyForm
  const { secretPrefix = '' } = form
  const text = prefixed < 0 ? secret : secret.slice(secretPrefix.length)
  const material = decoded(form.secret, text)
  // Without its prefix, a public key would be taken for a shared secret, and anyone could sign.
  const isBare = prefixed < 0 && keys.length > 1
  const fault = isBare
    ? 'has no prefix'
    : !material?.length
      ? `is not ${SECRETS[form.secret]}`
      : undefined
  if (!material || fault) {
    const prefixes = keys.map((key) => key.secretPrefix).filter(Boolean)
    const begins = prefixes.length > 0 ? `, which begins with ${prefixes.join(' or ')}` : ''
    throw new TypeError(`${label} ${fault}. Copy the whole secret of the service${begins}.`)
  }
  return [index, material]
}

const SECRETS = {
  text: 'text',
  hex: 'written in lower-case hexadecimal digits',
  base64: 'written in base64',
  spki: 'a public key in base64 (SubjectPublicKeyInfo)',
  pem: 'a public key in PEM (-----BEGIN PUBLIC KEY-----)',
}

function decoded(form: KeyForm['secret'], text: string): Bytes | undefined {
  if (form === 'text') return new TextEncoder().encode(text)
  if (form === 'hex') return decode('hex', text.toLowerCase())
  if (form !== 'pem') return decode('base64', text)
  const [, base64] = /^-----BEGIN PUBLIC KEY-----(.*)-----END PUBLIC KEY-----$/s.exec(text) ?? []
  return base64 === undefined ? undefined : decode('base64', base64.replaceAll(/\s|\\n/g, ''))
}
