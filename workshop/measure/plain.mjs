import { createHmac, timingSafeEqual } from 'node:crypto'
import { SECRET } from './messages.mjs'

/** The check that tutorials show: createHmac and timingSafeEqual. Undefined for a wrong signature. */
function verifyPlain(body, headers) {
  const { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature = '' } = headers
  const digest = createHmac('sha256', SECRET).update(`${timestamp}.`).update(body).digest()
  const received = Buffer.from(signature.slice('sha256='.length), 'hex')
  if (digest.length !== received.length || !timingSafeEqual(digest, received)) return undefined
  return JSON.parse(body.toString())
}

/** The same check with those of careful applications: the form of the headers, the age, and the types of the fields that they read. */
export function verifyCarefully(body, headers) {
  const { 'x-webhook-timestamp': timestamp = '', 'x-webhook-signature': signature = '' } = headers
  if (!/^\d{1,12}$/.test(timestamp) || !/^sha256=[0-9a-f]{64}$/.test(signature)) return undefined
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return undefined
  const delivery = verifyPlain(body, headers)
  const { id, event, created_at, data } = Object(delivery)
  const texts = [id, event, created_at, data?.instance_id, data?.event, data?.timestamp]
  const isWhole = texts.every((text) => typeof text === 'string') && event === data.event
  return isWhole && typeof data.data === 'object' ? delivery : undefined
}
