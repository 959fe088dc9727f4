import { mac } from '#mac'
import { hexadecimal } from '../verify/hexadecimal.ts'
import type { MacKey } from '../verify/mac.ts'
import type { SignableParts } from '../verify/scheme.ts'
import type { WebhookEvent } from './event.ts'
import { CONTRACT_HEADERS } from './head.ts'

/** The name of an event, for a sample delivery, or a body. Bytes are sent unchanged, an object as JSON. */
export type SignableDelivery = WebhookEvent | (string & {}) | Uint8Array | object

export interface SignOptions {
  /**
   * The clock: milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
  /**
   * The value of X-Webhook-Timestamp, as it is signed and sent.
   * @default Unix seconds of `now`
   */
  readonly timestamp?: string | undefined
  /**
   * X-Webhook-Id.
   * @default the `id` of the body, if it has one
   */
  readonly webhookId?: string | undefined
}

interface SignedHeaders {
  readonly 'Content-Type': string
  readonly 'X-Webhook-Id'?: string
  readonly 'X-Webhook-Timestamp': string
  readonly 'X-Webhook-Signature': string
}

export interface SignedDelivery {
  readonly headers: SignedHeaders & Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

/** The headers with which the service sends a body (contract, section 5). */
export async function sign(
  key: MacKey,
  body: Uint8Array,
  { id, time, timestamp = `${Math.floor(time / 1000)}` }: SignableParts,
): Promise<Readonly<Record<string, string>>> {
  const signature = await mac.sign(key, `${timestamp}.`, body)
  return {
    'Content-Type': 'application/json',
    ...(id && { [CONTRACT_HEADERS.id]: id }),
    [CONTRACT_HEADERS.timestamp]: timestamp,
    [CONTRACT_HEADERS.signature]: `sha256=${hexadecimal(signature)}`,
  }
}
