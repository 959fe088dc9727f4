import { readFile } from 'node:fs/promises'
import { signDelivery } from '@webhook-receiver/core/testing'
import { createDelivery, signedRequest } from '../../signing.mjs'

/** When the vectors were signed, in milliseconds. */
const CLOCK = 1_795_392_000_000

/**
 * A delivery of a service: one that its SDK or a reference has signed, or that AWS has; else one that is signed here, since a token of a
 * vector would have expired.
 */
export async function deliveryOf(service, path) {
  const { name, secret, event, signer } = service
  if (name === 'aws-sns') return signedByAws()
  if (name === 'default') {
    const signed = signedRequest(secret, createDelivery(event, {}, CLOCK), CLOCK)
    return { secret, clock: CLOCK, ...signed }
  }
  if (!service.hasSamples) {
    const url = `https://example.com${path}`
    const given = { scheme: signer, event, url, now: () => CLOCK }
    const { headers, body } = await signDelivery(secret, { event }, given)
    return { secret, clock: CLOCK, headers: withType(headers, body), body }
  }
  const { vectors } = await recorded(name)
  const vector = vectors.find((each) => each.valid && each.name.startsWith('plain'))
  const body = Buffer.from(vector.body, 'base64')
  return { ...vector, clock: CLOCK, headers: withType(vector.headers, body), body }
}

async function signedByAws() {
  const { clock, topic, certificate, messages } = await recorded('aws-sns')
  const message = messages['version 2']
  return {
    ...{ secret: topic, certificate, clock: Date.parse(clock) },
    headers: { 'content-type': 'text/plain', 'x-amz-sns-message-type': message.Type },
    body: Buffer.from(JSON.stringify(message)),
  }
}

async function recorded(name) {
  const file = new URL(`../../../../packages/conformance/schemes/${name}.json`, import.meta.url)
  return JSON.parse(await readFile(file, 'utf8'))
}

function withType(headers, body) {
  const type = /^[[{]/.test(Buffer.from(body)) ? 'json' : 'x-www-form-urlencoded'
  return { 'content-type': `application/${type}`, ...headers }
}
