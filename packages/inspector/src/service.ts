import type { Header, SignedRequest, Tampering } from '@webhook-receiver/emulator/request'
import type { Comparison, VerifiableRequest } from './verification.ts'

/** What a request says of itself, without being trusted; cut, since the list has no room for more. */
export interface Facts {
  readonly id?: string | undefined
  readonly event?: string | undefined
  readonly instance?: string | undefined
}

/** How a request of the page is signed. */
export interface SigningOrder {
  readonly secret: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The path and query of the receiver. */
  readonly target: string
  /** For a service that has it in a header. @default that of the request */
  readonly event?: string | undefined
  readonly tamper?: Tampering | undefined
}

/** The service whose deliveries the page shows: how they are read, compared and signed. */
export interface Service {
  /** `undefined`: the contract. */
  readonly name: string | undefined
  readonly hasEvent: boolean
  readonly canSign: boolean
  /** The headers that verification reads, in lower case. */
  readonly headers: readonly string[]
  /** `[]` if any name is an event. */
  readonly events: readonly string[]
  readonly tamperings: readonly Tampering[]
  facts(request: VerifiableRequest): Facts
  compare(
    request: VerifiableRequest,
    secrets: Readonly<Record<string, string>>,
  ): Comparison | Promise<Comparison>
  /** The headers before a request is sent as it is. */
  named(headers: readonly Header[], body: Uint8Array): readonly Header[]
  sign(request: SignedRequest, order: SigningOrder): Promise<SignedRequest>
  /** A body to begin with. */
  sample(event: string, now: () => number): string
}
