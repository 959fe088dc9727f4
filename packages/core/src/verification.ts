import type { Delivery } from './contract/delivery.ts'
import type { SignedPart } from './verify/scheme.ts'

/** How a delivery was verified. */
export interface Verification {
  /** The body as received: the bytes that were signed. Don't write into them, nor give their memory away: `key` may be made of them later. */
  readonly rawBody: Uint8Array
  /** The timestamp as sent. It is signed. Empty if the service sends none. */
  readonly timestamp: string
  /**
   * The option `endpoint`, or its default. Where that is a function of the request, the default, a colon and what the function returned:
   * 'stripe:acme'.
   */
  readonly endpoint: string
  /**
   * What tells this delivery from others at its endpoint: the id, if it is signed; otherwise a hash of the unsigned id and event and of
   * what was signed. The option `duplicates` can change it. A copy has the same key. Another endpoint can have other deliveries with this
   * key, so stores and queues get both.
   *
   * A hash is made when it is first read (where only WebCrypto exists, before your handler). It is that of what was verified, whatever
   * your handler has changed in the delivery and the request, but for `rawBody`.
   */
  readonly key: string
  /** What the signature does not cover, so that anyone who holds a signed body can send it with other values. Always empty for the contract. */
  readonly unsigned: readonly SignedPart[]
  /** The name of the secret that matched; `undefined` if the secrets have no names. */
  readonly secretName: string | undefined
  /** The identifier in the headers. **The signature does not cover it**: do not base any decision on it. */
  readonly webhookId: string | undefined
}

/** An accepted delivery, and how it was verified. */
export interface Received<Attached = Delivery> {
  readonly delivery: Attached
  readonly verification: Verification
}

/** The name of the tenant in `verification.endpoint`, where the option is a function. */
export function tenantIn(endpoint: string): string | undefined {
  return endpoint.split(':')[1]
}
