import type { Algorithm } from './algorithm.ts'

/** What the header of a token says (RFC 7515, section 4.1). Nobody has signed it yet. */
export type TokenHeader = Readonly<Record<string, unknown>>

/** A CryptoKey, whose name only applications with the types of browsers know. */
export type VerificationKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** Where the keys of a service come from. What it returns depends on a token only as far as that names one of them. */
export interface KeySource {
  /** Where they come from, for messages: `www.googleapis.com`. */
  readonly from: string
  /** Whether one key signs for many accounts, so that a token has to say for whom it is. */
  readonly isShared: boolean
  /** Whether a token then has to name its audience too, as those of OIDC do. */
  readonly needsAudience?: boolean | undefined
  /**
   * The key that a token names; `undefined` if there is none.
   *
   * @throws any error if the keys cannot be had now.
   */
  find(
    header: TokenHeader,
    algorithm: Algorithm,
  ): VerificationKey | undefined | Promise<VerificationKey | undefined>
}

/** What keys are fetched with. */
export interface FetchOptions {
  /** @default the global fetch */
  readonly fetch?: typeof fetch | undefined
  /** The clock: milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
}

/** What signs. */
export interface SigningKey {
  /** Its signature of these characters. */
  readonly sign: (input: string) => Uint8Array | Promise<Uint8Array>
  /** The id by which a receiver finds it. */
  readonly id?: string | undefined
  /** The account for which it signs. */
  readonly account?: string | undefined
}

/** Keys of a test, which also sign. */
export interface SigningSource extends KeySource {
  readonly signing: SigningKey
}

export function isSigning(source: KeySource): source is SigningSource {
  return 'signing' in source
}
