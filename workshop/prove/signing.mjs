import { spawnSync } from 'node:child_process'
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
export function signedRequest(secret, delivery, { time = Date.now(), sign = withNode } = {}) {
  const body = Buffer.from(JSON.stringify(delivery))
  const timestamp = String(Math.floor(time / 1000))
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    'X-Webhook-Id': delivery.id,
    'X-Webhook-Timestamp': timestamp,
    'X-Webhook-Signature': `sha256=${sign(secret, timestamp, body)}`,
  }
  return { delivery, headers, body }
}

/** A program, or node:crypto, that computes the HMAC-SHA256 of a timestamp, a full stop and a body, in hexadecimal. */
export function chooseSigner() {
  const { status, stdout } = spawnSync('openssl', ['version'], { encoding: 'utf8' })
  if (status !== 0)
    return { name: 'node:crypto (there is no openssl command here)', sign: withNode }
  const version = stdout.trim().split(' ').slice(0, 2).join(' ')
  return { name: `${version} (openssl dgst -sha256 -hmac)`, sign: withOpenssl }
}

function withNode(secret, timestamp, body) {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
}

function withOpenssl(secret, timestamp, body) {
  // Other users of the machine can read a command line: only for a secret that was made a moment ago.
  const { status, stdout, stderr } = spawnSync('openssl', ['dgst', '-sha256', '-hmac', secret], {
    input: Buffer.concat([Buffer.from(`${timestamp}.`), body]),
    encoding: 'utf8',
  })
  // The digits come last, behind a label that differs between versions.
  const digits = /[0-9a-f]{64}$/.exec(stdout.trim())?.[0]
  if (status !== 0 || digits === undefined) throw new Error(`openssl did not sign: ${stderr}`)
  return digits
}
