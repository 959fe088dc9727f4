import type { HeaderLookup, Scheme } from '@webhook-receiver/core'

/** The headers of a request: a look-up, `Headers`, an object, or pairs in which a name may occur twice. */
export type DiagnosisHeaders =
  | HeaderLookup
  | Headers
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** A request whose signature does not match, and what it was verified with. */
export interface DiagnosisInput {
  readonly headers: DiagnosisHeaders
  /** The body as received. Without it, only the form of the headers is checked, and nothing is certain. */
  readonly body?: Uint8Array | undefined
  /** One secret, or several by name, as the receiver was given them. */
  readonly secrets: string | Readonly<Record<string, string>>
  /** The key for calls to the service, which is easily confused with the secret. */
  readonly apiKey?: string | undefined
  /** Secrets of other webhooks, by name. */
  readonly otherSecrets?: Readonly<Record<string, string>> | undefined
  /**
   * The scheme of the service.
   * @default the contract
   */
  readonly scheme?: Scheme | undefined
  /** The public URL that the receiver was given, for a scheme that signs it. */
  readonly url?: string | undefined
  /** Schemes that the request may have been signed by instead. */
  readonly otherSchemes?: readonly Scheme[] | undefined
}
