import {
  allMaybeAsync,
  isError,
  type MaybeAsync,
  type SecretFacts,
  thenMaybeAsync,
} from '@webhook-receiver/core/internal'
import type { Bytes } from '../crypto/crypto.ts'
import type { KeyForm } from '../value.ts'
import { decode } from './encoding.ts'
import type { Key, Method } from './method.ts'

/** Prepares a secret, or throws a TypeError for one that cannot be used. */
export type KeyImporter = (secret: string, label: string, use?: 'sign') => MaybeAsync<Key>

/** Makes the function that prepares the secrets of receivers. */
export function keyImporter(
  keys: readonly KeyForm[],
  methods: readonly Method[],
  { called = 'the whole secret of the service', separator }: Partial<SecretFacts> = {},
): KeyImporter {
  const importOne = (secret: string, label: string): MaybeAsync<Key> => {
    const [index, material] = readSecret(keys, methods, secret, label, called)
    const ready = (handle: unknown): Key => ({ index, handle })
    const unusable = (cause: unknown) => {
      const why = isError(cause) ? cause.message : 'it gave no reason'
      const message = `${label} is not an ${keys[index]?.algorithm} key that can be used: ${why}. Pass ${called}.`
      throw new TypeError(message, { cause })
    }
    try {
      const handle = methods[index]?.importKey(material)
      return thenMaybeAsync(handle, ready, unusable)
    } catch (cause) {
      return unusable(cause)
    }
  }
  return (secret, label) => {
    const parts = separator === undefined ? [] : secret.split(separator).filter(Boolean)
    if (parts.length < 2) return importOne(parts[0] ?? secret, label)
    const imported = allMaybeAsync(parts.map((part) => importOne(part, label)))
    return thenMaybeAsync(imported, ([first, ...others]) => ({ ...(first as Key), others }))
  }
}

/**
 * The bytes of the key that a secret stands for, and which of the scheme's keys it is.
 *
 * @throws TypeError that says what the secret should be. It never quotes the secret.
 */
function readSecret(
  keys: readonly KeyForm[],
  methods: readonly Method[],
  secret: string,
  label: string,
  called: string,
): readonly [index: number, material: Bytes] {
  const text = shown(keys, secret)
  const prefixed = keys.findIndex(({ secretPrefix = '' }) => text.startsWith(secretPrefix))
  const index = Math.max(prefixed, 0)
  const { secret: form, secretPrefix = '' } = keys[index] as KeyForm
  const bare = prefixed < 0 ? text : text.slice(secretPrefix.length)
  const material = (methods[index]?.readSecret ?? readShared)(bare, form)
  // Without its prefix, a public key would be taken for a shared secret, and anyone could sign.
  const isBare = prefixed < 0 && keys.length > 1
  if (material?.length && !isBare) return [index, material]
  const prefixes = keys.flatMap((key) => key.secretPrefix ?? [])
  const begins = prefixes.length > 0 ? `, which begins with ${prefixes.join(' or ')}` : ''
  if (isBare && material?.length) {
    throw new TypeError(
      `${label} has no prefix. Put ${prefixes[0]} in front of it if it is a shared secret in base64: a public key begins with ${prefixes[1]}.`,
    )
  }
  const encoded = prefixes[0]
    ? ` If the service shows a text, pass ${prefixes[0]} followed by that text in base64.`
    : ''
  throw new TypeError(
    `${label} is not written in ${WRITTEN[form] ?? form}. Pass ${called}${begins}.${encoded}`,
  )
}

/** The secret without what a dashboard shows in front of it: `v1,whsec_…`. */
function shown(keys: readonly KeyForm[], secret: string): string {
  const key = keys.find(
    ({ prefix, secretPrefix }) =>
      prefix && secretPrefix && secret.startsWith(prefix + secretPrefix),
  )
  return secret.slice(key?.prefix?.length ?? 0)
}

const WRITTEN: { readonly [Form in KeyForm['secret']]?: string } = {
  hex: 'hexadecimal digits',
  base64: 'base64 with its padding (=)',
  spki: 'base64 (SubjectPublicKeyInfo)',
  pem: 'PEM (-----BEGIN PUBLIC KEY-----)',
}

/** A key as text, or in an encoding. */
function readShared(text: string, form: KeyForm['secret']): Bytes | undefined {
  if (form === 'text') return new TextEncoder().encode(text)
  return form === 'hex' ? decode(form, text.toLowerCase()) : decode('base64', text)
}
