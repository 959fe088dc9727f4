import type { Algorithm } from '../value.ts'

/** The signatures that are not HMAC-SHA256. `#crypto` resolves to `crypto-node.ts` where node:crypto exists, elsewhere to `crypto-web.ts`. */
export interface Crypto {
  /**
   * Prepares a key once: the secret of a MAC, or a public key as SubjectPublicKeyInfo (RFC 5280, section 4.1.2.7).
   *
   * @throws an error that says what this runtime or this key cannot do.
   */
  importKey(algorithm: Algorithm | 'rsa-sha1', material: Bytes): Handle | Promise<Handle>
  /** Prepares a private key (PKCS #8, RFC 5958), which signs. */
  importPrivate(algorithm: Algorithm, material: Bytes): Handle | Promise<Handle>
  /** The MAC or the signature over the parts of `content`, one behind the other; `undefined` with a public key. */
  sign(key: Handle, content: Content): Bytes | undefined | Promise<Bytes | undefined>
  /** Whether this is the signature of `content`: MACs are compared in constant time. ECDSA: in DER, in the one form that it has. */
  verify(key: Handle, content: Content, signature: Bytes): boolean | Promise<boolean>
}

export type Bytes = Uint8Array<ArrayBuffer>

/** In parts, because a copy of a large body takes longer than its MAC. */
export type Content = readonly Uint8Array[]

declare const backend: unique symbol

/** A key prepared by the backend that made it, and of use to that backend only. */
export interface Handle {
  readonly [backend]: true
}
