import type { Algorithm } from '../value.ts'

export type PublicAlgorithm = Exclude<Algorithm, `hmac-${string}`> | 'rsa-sha1'

/**
 * The signatures by private keys; MACs are core's. `#crypto` resolves to `crypto-node.ts` where node:crypto exists, elsewhere to
 * `crypto-web.ts`.
 */
export interface Crypto {
  /**
   * Prepares a public key once, from its SubjectPublicKeyInfo (RFC 5280, section 4.1.2.7).
   *
   * @throws an error that says what this runtime or this key cannot do.
   */
  importKey(algorithm: PublicAlgorithm, material: Bytes): Handle | Promise<Handle>
  /** Prepares a private key (PKCS #8, RFC 5958), which signs. */
  importPrivate(algorithm: PublicAlgorithm, material: Bytes): Handle | Promise<Handle>
  /** `undefined` with a public key. */
  sign(key: Handle, content: Bytes): Bytes | undefined | Promise<Bytes | undefined>
  /** Whether this is the signature of `content`. ECDSA: in DER, in the one form that it has. */
  verify(key: Handle, content: Bytes, signature: Bytes): boolean | Promise<boolean>
}

export type Bytes = Uint8Array<ArrayBuffer>

declare const backend: unique symbol

/** A key prepared by the backend that made it, and of use to that backend only. */
export interface Handle {
  readonly [backend]: true
}
