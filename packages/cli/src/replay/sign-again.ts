import { signDelivery } from '@webhook-receiver/core/testing'
import type { Capture } from '../capture.ts'
import { type Header, lookUp, withHeader } from '../header.ts'

/** The headers of a capture with a timestamp of now, in the form that it had, and a signature to match. */
export async function signAgain(
  { headers, body }: Capture,
  secret: string,
  now: number,
): Promise<readonly Header[]> {
  const timestamp = inFormOf(lookUp(headers)('x-webhook-timestamp'), now)
  const signed = await signDelivery(secret, body, { timestamp })
  const dated = withHeader(headers, 'X-Webhook-Timestamp', timestamp)
  return withHeader(dated, 'X-Webhook-Signature', signed.headers['X-Webhook-Signature'])
}

function inFormOf(before: string | null | undefined, now: number): string {
  if (before) {
    if (/^\d{13}$/.test(before)) return String(now)
    if (/^\d{4}-\d\d-\d\d/.test(before)) return new Date(now).toISOString()
    if (/GMT$/.test(before)) return new Date(now).toUTCString()
  }
  return String(Math.floor(now / 1000))
}
