import { allMaybeAsync, thenMaybeAsync } from '@webhook-receiver/core/internal'
import { crypto } from '#crypto'
import type { Bytes, Handle, PublicAlgorithm } from '../crypto/crypto.ts'
import type { Encoding, KeyForm } from '../value.ts'
import { decode, joined, latin1 } from './encoding.ts'
import type { Content, Method } from './method.ts'

/** The method of an algorithm with a public key. */
export function methods({ algorithm: any, secret }: KeyForm, encoding: Encoding): Method {
  // A shared secret has its own method.
  const algorithm = any as PublicAlgorithm
  // In bytes. Of the others it depends on the key.
  const length = algorithm === 'ed25519' ? 64 : undefined
  const isRaw = algorithm === 'ed25519' && (secret === 'hex' || secret === 'base64')
  const method: Method<Handle, Bytes> = {
    most: 2,
    length,
    read(text) {
      const bytes = decode(encoding, text)
      return length === undefined || bytes?.length === length ? bytes : undefined
    },
    ...(secret === 'pem' && { readSecret: (text) => readPem(text, 'PUBLIC') }),
    // Dashboards show the same key with and without its lines.
    ...(secret === 'spki' && {
      readSecret: (text) => readPem(text, 'PUBLIC') ?? decode('base64', text),
    }),
    importKey(material) {
      if (isRaw && material.length !== 32) {
        throw new Error(`it has ${material.length} bytes, but a public key has 32`)
      }
      return crypto.importKey(algorithm, isRaw ? joined(ED25519, material) : material)
    },
    importPrivate(text) {
      const material = readPem(text, 'PRIVATE')
      if (material) return crypto.importPrivate(algorithm, material)
      throw new Error('it should begin with -----BEGIN PRIVATE KEY----- (PKCS #8)')
    },
    verify(key, content, signatures) {
      const signed = bytesOf(content)
      const matches = signatures.map((one) => crypto.verify(key, signed, one))
      return thenMaybeAsync(allMaybeAsync(matches), (found) => found.includes(true))
    },
    sign: (key, content) => crypto.sign(key, bytesOf(content)),
  }
  return method
}

/** A key as in its file, which may end with a line break, or as in an .env file, where a line break is a backslash and a letter. */
function readPem(text: string, kind: 'PUBLIC' | 'PRIVATE'): Bytes | undefined {
  const [, found, base64] =
    /^\s*-----BEGIN (PUBLIC|PRIVATE) KEY-----(.*)-----END \1 KEY-----(?:\s|\\[nr])*$/s.exec(text) ??
    []
  if (found !== kind) return undefined
  return base64 === undefined ? undefined : decode('base64', base64.replaceAll(/\s|\\[nr]/g, ''))
}

function bytesOf({ prefix, rest }: Content): Bytes {
  return joined(latin1(prefix), rest)
}

/** What stands before the 32 bytes of the key in a SubjectPublicKeyInfo (RFC 8410, section 4). */
const ED25519 = /* @__PURE__ */ Uint8Array.of(0x30, 42, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 33, 0)
