import { createHmac, timingSafeEqual } from 'node:crypto'
import { SECRET } from './messages.mjs'

/** The check that tutorials show: createHmac and timingSafeEqual. Undefined for a wrong signature. */
export function verifyPlain(body, headers) {
  const { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature = '' } = headers
  const digest = createHmac('sha256', SECRET).update(`${timestamp}.`).update(body).digest()
  const received = Buffer.from(signature.slice('sha256='.length), 'hex')
  if (digest.length !== received.length || !timingSafeEqual(digest, received)) return undefined
  return JSON.parse(body.toString())
}
