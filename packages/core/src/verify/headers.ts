import { Refusal } from '../reject/refusal.ts'

/** Reads one header by its name in any case; several lines of one name come joined by `, `. */
export type HeaderLookup = (name: string) => string | null | undefined

/** What is known of a request before its body is read. */
interface RequestHead {
  readonly method: string
  readonly header: HeaderLookup
}

/** What the headers of an acceptable request say (contract, section 5). */
export interface Head {
  /** The 64 hexadecimal digits of X-Webhook-Signature. */
  readonly signature: string
  /** X-Webhook-Timestamp, as sent. */
  readonly timestamp: string
}

const SIGNATURE = /^sha256=[0-9a-f]{64}$/

/**
 * Checks everything that can be checked before a byte of the body is read: the method, the two headers that are
 * needed, the content coding and the declared length.
 *
 * @throws Refusal 405, 401, 415 or 413.
 */
export function checkHeaders(request: RequestHead, limit: number): Head {
  const { method } = request
  if (method !== 'POST') throw new Refusal('method_not_allowed', { method })
  const value = request.header('x-webhook-signature')
  if (!value) throw new Refusal('signature_missing')
  if (!SIGNATURE.test(value)) throw new Refusal('signature_malformed', { value })
  const timestamp = request.header('x-webhook-timestamp')
  if (!timestamp) throw new Refusal('timestamp_missing')
  const coding = request.header('content-encoding')
  if (coding && coding.toLowerCase() !== 'identity') {
    throw new Refusal('encoding_not_supported', { coding })
  }
  // Anything but digits is refused by the HTTP parser; the reader counts the bytes in any case.
  const announced = request.header('content-length')
  if (announced && Number(announced) > limit) {
    throw new Refusal('body_too_large', { announced, limit })
  }
  return { signature: value.slice(7), timestamp }
}
