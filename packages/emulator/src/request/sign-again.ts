import { CONTRACT_HEADERS } from '@webhook-receiver/core/adapter'
import { signDelivery } from '@webhook-receiver/core/testing'
import { type Header, headerValue, withHeader } from './headers.ts'

/** The headers and the body of a request, as they are on the wire. */
export interface SignedRequest {
  readonly headers: readonly Header[]
  readonly body: Uint8Array
}

/** Signs a request again, with a timestamp of `now` (milliseconds since the epoch) in the form that it had. */
export async function signAgain(
  { headers, body }: SignedRequest,
  secret: string,
  now: number,
): Promise<SignedRequest> {
  const names = CONTRACT_HEADERS
  const timestamp = inFormOf(headerValue(headers, names.timestamp), now)
  const signed = await signDelivery(secret, body, { timestamp })
  const dated = withHeader(headers, names.timestamp, timestamp)
  const signature = signed.headers[names.signature]
  return { headers: withHeader(dated, names.signature, signature), body }
}

/** A time as a timestamp in the form that another one has; Unix seconds unless it has a known one. */
export function inFormOf(timestamp: string | undefined, time: number): string {
  if (timestamp !== undefined) {
    if (/^\d{13}$/.test(timestamp)) return String(time)
    if (/^\d{4}-\d\d-\d\d/.test(timestamp)) return new Date(time).toISOString()
    if (/GMT$/.test(timestamp)) return new Date(time).toUTCString()
  }
  return String(Math.floor(time / 1000))
}
