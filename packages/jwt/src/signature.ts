import {
  isPromiseLike,
  keepNewest,
  type MacKey,
  mac,
  rejection,
} from '@webhook-receiver/core/internal'
import { base64url, flattenedVerify } from 'jose'
import { ALGORITHMS } from './keys/algorithm.ts'
import type { JwtService } from './service.ts'
import { bytesOf, type Token, type VerifiedHeader } from './token.ts'

/** What a receiver's secret was made into: the key of a service that shares one, or whose tokens are accepted. */
export interface Key {
  readonly shared: MacKey | undefined
  readonly account: string | undefined
}

export const NOTHING: Uint8Array<ArrayBuffer> = new Uint8Array()

/** Makes the function that returns the bytes that the service has signed, or `null`. `verified` gets the header of each token that was. */
export function payloadReader(
  { algorithm, keys, body: binding }: JwtService,
  verified: Map<string, VerifiedHeader>,
): (one: Token, key: Key, body: Uint8Array) => Promise<Uint8Array | null> {
  const how = ALGORITHMS[algorithm]

  return async function payloadOf(
    one: Token,
    key: Key,
    body: Uint8Array,
  ): Promise<Uint8Array | null> {
    const { protected: head, signature, header, known } = one
    const isRaw = header.b64 === false
    const content = binding === 'detached' ? (isRaw ? body : base64url.encode(body)) : one.payload
    let publicKey: CryptoKey | undefined
    try {
      const found = keys === 'secret' ? undefined : keys.find(header, algorithm)
      publicKey = isPromiseLike(found) ? await found : found
    } catch (cause) {
      // A service may not retry a 401.
      throw rejection('secret_unavailable', undefined, { cause })
    }
    const payload = key.shared
      ? await byMac(key.shared, head, content, bytesOf(signature))
      : publicKey
        ? await byPublicKey(publicKey, one, content)
        : null
    if (payload && (!known || known.key !== publicKey)) {
      keepNewest(verified, head, { header, key: publicKey })
    }
    return payload
  }

  /** jose checks a key and a header when they first come together. After that, only the signature differs. */
  async function byPublicKey(
    key: CryptoKey,
    { protected: head, signature, known }: Token,
    content: string | Uint8Array,
  ): Promise<Uint8Array | null> {
    if (known?.key === key && typeof content === 'string') {
      const [bytes, signed] = [bytesOf(signature), encoder.encode(`${head}.${content}`)]
      const isValid = bytes && (await crypto.subtle.verify(how, key, bytes, signed))
      return (isValid && bytesOf(content)) || null
    }
    try {
      const jws = { protected: head, payload: content, signature }
      return (await flattenedVerify(jws, key, { algorithms: [algorithm] })).payload
    } catch (error) {
      if (/^ERR_J/.test(String(Object(error).code))) return null
      throw error
    }
  }
}

/** HMAC-SHA256 (RFC 7518, section 3.2), by core, which on Node needs no promise for it. */
async function byMac(
  key: MacKey,
  head: string,
  content: string | Uint8Array,
  signature: Uint8Array | undefined,
): Promise<Uint8Array | null> {
  const [prefix, body] =
    typeof content === 'string' ? [`${head}.${content}`, NOTHING] : [`${head}.`, content]
  const isValid = signature && (await mac.verify(key, prefix, body, signature))
  return (isValid && (typeof content === 'string' ? bytesOf(content) : content)) || null
}

const encoder = new TextEncoder()
