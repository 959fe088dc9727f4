import { mac } from '#mac'
import { hexadecimal } from '../verify/hexadecimal.ts'
import type { WebhookEvent } from './event.ts'
import { sampleDelivery } from './sample.ts'

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

/**
 * Signs a delivery as the service does (contract, section 5), for a test of a receiver.
 *
 * @throws TypeError if the secret is not a string or is empty.
 *
 * @example
 * const { headers, body } = await signDelivery(secret, 'message.received')
 * await fetch(url, { method: 'POST', headers, body })
 */
export async function signDelivery(
  secret: string,
  delivery: SignableDelivery,
  options: SignOptions = {},
): Promise<SignedDelivery> {
  if (typeof secret !== 'string' || secret === '') {
    throw new TypeError('The secret should be a string that is not empty.')
  }
  const { now = () => Date.now() } = options
  const content = typeof delivery === 'string' ? sampleDelivery(delivery, { now }) : delivery
  const body = bytesOf(content)
  const timestamp = options.timestamp ?? String(Math.floor(now() / 1000))
  const webhookId = options.webhookId ?? idOf(content)
  const key = await mac.importKey(new TextEncoder().encode(secret))
  const signature = await mac.sign(key, `${timestamp}.`, body)
  return {
    headers: {
      'Content-Type': 'application/json',
      ...(webhookId !== undefined && { 'X-Webhook-Id': webhookId }),
      'X-Webhook-Timestamp': timestamp,
      'X-Webhook-Signature': `sha256=${hexadecimal(signature)}`,
    },
    body,
  }
}

function bytesOf(content: object): Uint8Array<ArrayBuffer> {
  return content instanceof Uint8Array
    ? Uint8Array.from(content)
    : new TextEncoder().encode(JSON.stringify(content))
}

function idOf(content: object): string | undefined {
  return 'id' in content && typeof content.id === 'string' ? content.id : undefined
}
