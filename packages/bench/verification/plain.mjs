import { createHmac, timingSafeEqual } from 'node:crypto'
import { SECRET, signedHeaders } from '../signatures.mjs'

/** The check that tutorials show: createHmac and timingSafeEqual. */
export function signatureMatches(secret, timestamp, body, signature) {
  if (!signature) return false
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
  const received = Buffer.from(signature.slice('sha256='.length), 'hex')
  return digest.length === received.length && timingSafeEqual(digest, received)
}

function verifyPlain(body, signed) {
  const headers = signedHeaders('own', signed)
  return { call: () => verify(body, headers) }
}

export function parsePlain(body, signed) {
  const headers = signedHeaders('own', signed)
  return { call: () => verify(body, headers) && JSON.parse(body.toString()) }
}

function verify(body, headers) {
  const { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature } = headers
  return signatureMatches(SECRET, timestamp, body, signature)
}

/** Each twice: the second is the control. */
export const PLAIN = [
  { name: 'plain', work: 'verify', load: () => verifyPlain },
  { name: 'plain again', work: 'verify', load: () => verifyPlain },
  { name: 'plain + JSON.parse', work: 'parse', load: () => parsePlain },
  { name: 'plain + JSON.parse again', work: 'parse', load: () => parsePlain },
]
