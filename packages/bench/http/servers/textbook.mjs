import { createHmac, timingSafeEqual } from 'node:crypto'

/** The check that tutorials show. */
export function signatureMatches(secret, timestamp, body, signature) {
  if (!signature) return false
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
  const expected = Buffer.from(`sha256=${digest}`)
  const received = Buffer.from(signature)
  return expected.length === received.length && timingSafeEqual(expected, received)
}
