import { readFileSync } from 'node:fs'
import { prepareDelivery, sampleDelivery } from '@webhook-receiver/core/testing'
import { github, standardWebhooks, stripe, svix, twilio } from '@webhook-receiver/schemes'
import { SECRET, textFor } from './messages.mjs'

export const PATH = '/webhooks'

/** By name, each with one of its samples, which is filled with text. */
export const SERVICES = {
  default: {
    event: 'message.received',
    data: sampleDelivery('message.received').data.data,
  },
  ...serviceOf(github, 'issues'),
  ...serviceOf(standardWebhooks, 'contact.created'),
  ...serviceOf(stripe, 'invoice.paid'),
  ...serviceOf(svix, 'user.created'),
  ...serviceOf(twilio, 'received', { publicUrl: `https://example.com${PATH}` }),
}

function serviceOf(scheme, event, others) {
  const file = `@webhook-receiver/schemes/services/${scheme.name}.json`
  const { samples } = JSON.parse(readFileSync(new URL(import.meta.resolve(file)), 'utf8'))
  return { [scheme.name]: { scheme, event, data: samples[event].body, ...others } }
}

/** A request of a service with a body of exactly `size` bytes. It is accepted for some minutes. */
export async function requestOf(service, size) {
  const { scheme, event, data, publicUrl } = SERVICES[service]
  const options = { secret: SECRET, path: PATH, scheme, publicUrl }
  const filled = (text) => prepareDelivery(event, { ...data, text }, options)
  const text = await textFor(size, async (tried) => (await filled(tried)).body.length)
  const { body, ...others } = await filled(text)
  return { ...others, body: Buffer.from(body) }
}

/** The same request with another bit in its body, whose form does not change. */
export function forged({ body, ...others }) {
  const bytes = Buffer.from(body)
  bytes[bytes.lastIndexOf('e')] ^= 1
  return { ...others, body: bytes }
}
