import { type MacKey, mac } from '@webhook-receiver/core/adapter'
import { crypto } from '#crypto'
import type { Bytes, Handle } from '../crypto/crypto.ts'
import type { Algorithm, Encoding } from '../value.ts'
import { decode, hexOf, joined, latin1 } from './encoding.ts'

/** What is signed: characters that are bytes (Latin-1), followed by `rest`. */
export interface Content {
  readonly prefix: string
  readonly rest: Uint8Array
}

/** A secret ready for use: which key of the scheme it is, and what its method made of it. */
export interface Key {
  readonly index: number
  readonly handle: unknown
}

/** One way to make signatures. Keys and signatures are for the method that made them. */
export interface Method<Key = unknown, Signature = unknown> {
  /** A signature ready to be compared, or `undefined` where it is not well-formed. */
  read(text: string): Signature | undefined
  importKey(material: Bytes): Key | Promise<Key>
  verify(key: Key, content: Content, signature: Signature): boolean | Promise<boolean>
  /** Absent where the key is public. */
  sign?(key: Key, content: Content): Uint8Array | Promise<Uint8Array>
}

/** In bytes; `undefined` where it depends on the key. */
const LENGTHS: Readonly<Record<Algorithm, number | undefined>> = {
  'hmac-sha1': 20,
  'hmac-sha256': 32,
  'hmac-sha512': 64,
  ed25519: 64,
  'ecdsa-p256': undefined,
  'rsa-sha256': undefined,
}

export function methodOf(algorithm: Algorithm, encoding: Encoding): Method {
  const length = LENGTHS[algorithm]
  const bytes = (text: string) => {
    const decoded = decode(encoding, text)
    return length === undefined || decoded?.length === length ? decoded : undefined
  }
  if (algorithm === 'hmac-sha256') return sha256(encoding, bytes)
  const method: Method<Handle, Bytes> = {
    read: bytes,
    importKey: (material) => crypto.importKey(algorithm, material),
    verify: (key, content, signature) => crypto.verify(key, whole(content), signature),
    ...(algorithm.startsWith('hmac') && {
      sign: (key: Handle, content: Content) => crypto.sign(key, whole(content)),
    }),
  }
  return method
}

/** The MAC of core, which is the fastest of each runtime. It takes the signature in hexadecimal digits. */
function sha256(
  encoding: Encoding,
  bytes: (text: string) => Bytes | undefined,
): Method<MacKey, string> {
  const digits = /^[0-9a-f]{64}$/
  return {
    read: (text) => {
      if (encoding === 'hex') return digits.test(text) ? text : undefined
      const decoded = bytes(text)
      return decoded && hexOf(decoded)
    },
    importKey: (material) => mac.importKey(material),
    verify: (key, { prefix, rest }, signature) => mac.verify(key, prefix, rest, signature),
    sign: (key, { prefix, rest }) => mac.sign(key, prefix, rest),
  }
}

function whole({ prefix, rest }: Content): Bytes {
  return joined(latin1(prefix), rest)
}

export async function sha256Of(bytes: Uint8Array): Promise<string> {
  return hexOf(await mac.sha256(Uint8Array.from(bytes)))
}
