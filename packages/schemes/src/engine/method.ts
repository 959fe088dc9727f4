import {
  MAC_BYTES,
  type MacHash,
  type MacKey,
  type MaybeAsync,
  mac,
  thenMaybeAsync,
} from '@webhook-receiver/core/internal'
import type { Bytes } from '../crypto/crypto.ts'
import type { Encoding, KeyForm } from '../value.ts'
import { decode } from './encoding.ts'

/** What is signed: characters that are bytes (Latin-1), followed by `rest`. */
export interface Content {
  readonly prefix: string
  readonly rest: Uint8Array
}

/** A secret ready for use: which key of the scheme it is, and what its method made of it. */
export interface Key {
  readonly index: number
  readonly handle: unknown
  /** Those of the other secrets, where one text has several. The first of them signs. */
  readonly others?: readonly Key[] | undefined
}

/** One way to make signatures. Keys and signatures are for the method that made them. */
export interface Method<Key = unknown, Signature = unknown> {
  /** How many signatures a request may have: a rotation needs two. Before it is known who sent it, each may cost a verification. */
  readonly most: number
  /** How many bytes a signature has; `undefined` where that depends on the key. */
  readonly length: number | undefined
  /** A signature ready to be compared, or `undefined` where it is not well-formed. */
  read(text: string): Signature | undefined
  /** The bytes that a secret stands for. Default: those of a shared key. */
  readSecret?(text: string): Bytes | undefined
  importKey(material: Bytes): MaybeAsync<Key>
  /** Prepares a private key in PEM (PKCS #8), which signs. Absent where the secret signs. */
  importPrivate?(text: string): MaybeAsync<Key>
  /** Whether one of the signatures is of this content. All are compared, also behind a match. */
  verify(key: Key, content: Content, signatures: readonly Signature[]): MaybeAsync<boolean>
  /** `undefined` with a public key. */
  sign(key: Key, content: Content): MaybeAsync<Uint8Array | undefined>
}

/** The methods for all algorithms but those of shared secrets. */
export type Methods = (key: KeyForm, encoding: Encoding) => Method

export function methodOf(key: KeyForm, encoding: Encoding, others?: Methods): Method {
  if (key.algorithm.startsWith(SHARED)) {
    return hmac(key.algorithm.slice(SHARED.length) as MacHash, encoding)
  }
  if (others) return others(key, encoding)
  throw new TypeError(`There is no method for ${key.algorithm}.`)
}

const SHARED = 'hmac-'

/** The MAC of core, which is the fastest of each runtime. */
function hmac(hash: MacHash, encoding: Encoding): Method {
  const length = MAC_BYTES[hash]
  const digits = new RegExp(`^[0-9a-f]{${2 * length}}$`)
  const bytesOf = (signature: string | Bytes): Bytes => {
    if (typeof signature !== 'string') return signature
    return decode('hex', signature) ?? new Uint8Array(length)
  }
  const method: Method<MacKey, string | Bytes> = {
    most: 10,
    length,
    read: (text) => {
      // The runtime reads hexadecimal digits faster than a loop.
      if (encoding === 'hex') return digits.test(text) ? text : undefined
      const bytes = decode(encoding, text)
      return bytes?.length === length ? bytes : undefined
    },
    importKey: (material) => mac.importKey(material, hash),
    verify(key, { prefix, rest }, signatures) {
      const [only, ...others] = signatures
      if (only && others.length === 0) return mac.verify(key, prefix, rest, only)
      // One MAC serves all of them.
      const matches = (made: Uint8Array) =>
        signatures.map((one) => mac.equal(made, bytesOf(one))).includes(true)
      return thenMaybeAsync(mac.sign(key, prefix, rest), matches)
    },
    sign: (key, { prefix, rest }) => mac.sign(key, prefix, rest),
  }
  return method
}
