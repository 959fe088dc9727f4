// What a service sent in the last hours.
import { randomUUID } from 'node:crypto'
import { signDelivery } from '@webhook-receiver/core/testing'

/**
 * A delivery of the stream: when it came into being, in Unix seconds, and its body as the service sends it in each attempt.
 *
 * @typedef {{ id: string, at: number, event: string, body: Uint8Array<ArrayBuffer> }} Recorded
 */

/**
 * As many deliveries as come, one `every` so many seconds.
 *
 * @param {import('./services.mjs').Service} service
 * @param {{ from: number, until: number, every: number }} span in Unix seconds
 * @returns {Promise<Recorded[]>}
 */
export async function recordedStream({ scheme, event, idOf, contentOf }, { from, until, every }) {
  const stream = []
  for (let at = from; at < until; at += every) {
    const id = idOf(randomUUID())
    const content = { ...scheme.sample?.(event), ...contentOf(Math.floor(at), id) }
    const { body } = await signDelivery('whsec_bm90IHRoYXQgb2YgdGhlIHNlcnZpY2U=', content, {
      ...{ scheme, id, event },
    })
    stream.push({ id, at, event, body })
  }
  return stream
}
