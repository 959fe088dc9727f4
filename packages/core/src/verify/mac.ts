/** What a MAC is made by. */
export type MacHash = 'sha1' | 'sha256' | 'sha512'

/**
 * HMAC (RFC 2104, FIPS 180-4) as the receiver needs it. `#mac` resolves to `mac-node.ts` where
 * node:crypto exists and to `mac-web.ts` (WebCrypto) elsewhere.
 */
export interface Mac {
  /** Prepares a key once, so that no request pays for it. `secret` holds at least one byte. The default of `hash` is SHA-256. */
  importKey(secret: Uint8Array<ArrayBuffer>, hash?: MacHash): MacKey | Promise<MacKey>
  /** The bytes of the MAC over `prefix`, whose characters are bytes (Latin-1), followed by `body`: with SHA-256 there are 32. */
  sign(
    key: MacKey,
    prefix: string,
    body: Uint8Array,
  ): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>
  /**
   * Whether `signature`, hexadecimal digits in lower case or bytes, as many as that MAC has, stands for it. The bytes are compared in constant
   * time.
   */
  verify(
    key: MacKey,
    prefix: string,
    body: Uint8Array,
    signature: string | Uint8Array,
  ): boolean | Promise<boolean>
  /** Compares two values of one length in constant time. */
  equal(left: Uint8Array, right: Uint8Array): boolean
  /** The SHA-256 digest of `bytes`. */
  sha256(bytes: Uint8Array<ArrayBuffer>): Uint8Array | Promise<Uint8Array>
  /** Whether nothing here returns a promise. */
  readonly isSync: boolean
  /** The SHA-256 digest of bytes, or of the UTF-8 of a text, in lower-case hexadecimal digits. */
  sha256Hex(content: Uint8Array | string): string | Promise<string>
}

declare const backend: unique symbol

/** A key prepared by the backend that made it, and of use to that backend only. */
export interface MacKey {
  readonly [backend]: true
}

/** The length of a MAC in bytes. */
export const MAC_BYTES: Readonly<Record<MacHash, number>> = { sha1: 20, sha256: 32, sha512: 64 }
