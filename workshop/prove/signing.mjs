import { createHmac, randomBytes, randomUUID } from 'node:crypto'

export function randomSecret() {
  return `whsec_${randomBytes(24).toString('hex')}`
}

/**
 * A delivery as the service sends it. `time` is in milliseconds since the epoch.
 *
 * @param {string} event
 * @param {Readonly<Record<string, unknown>>} [content]
 */
export function createDelivery(event, content = {}, time = Date.now()) {
  const data = {
    instance_id: '9007199254740993',
    event,
    data: content,
    timestamp: new Date(time).toISOString(),
  }
  return { id: randomUUID(), event, created_at: data.timestamp, data }
}

/**
 * The headers and the body of a delivery, signed without this library.
 *
 * @param {string} secret
 * @param {ReturnType<typeof createDelivery>} delivery
 */
export function signedRequest(secret, delivery, time = Date.now()) {
  const body = Buffer.from(JSON.stringify(delivery))
  const timestamp = String(Math.floor(time / 1000))
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(body)
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    'X-Webhook-Id': delivery.id,
    'X-Webhook-Timestamp': timestamp,
    'X-Webhook-Signature': `sha256=${hmac.digest('hex')}`,
  }
  return { delivery, headers, body }
}

/**
 * An event as Stripe sends it, signed without this library.
 *
 * @param {string} secret
 * @param {string} event
 */
export function signedByStripe(secret, event, time = Date.now()) {
  const delivery = { id: `evt_${randomUUID()}`, type: event, data: { object: {} } }
  const body = Buffer.from(JSON.stringify(delivery))
  const timestamp = Math.floor(time / 1000)
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
  const headers = {
    'Content-Type': 'application/json',
    'Stripe-Signature': `t=${timestamp},v1=${hmac}`,
  }
  return { delivery, headers, body }
}
