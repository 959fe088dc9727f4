import { checkDeliveryKey, type DeliveryKey, digestOf } from '../store/key.ts'

/**
 * A job id, deduplication id or idempotency key for a delivery: the same for each copy of it, and another for every other delivery,
 * also for one of another endpoint with the same key.
 *
 * It is a hash of the endpoint and the key, in a form that every queue takes: 57 lower-case letters, digits and hyphens, never a number.
 * For a queue that wants a UUID, such as pg-boss, `form` is `'uuid'`.
 *
 * @param delivery Its `verification`, or the `endpoint` and `key` of that.
 * @throws TypeError for anything else.
 *
 * @example
 * await queue.add(delivery.event, delivery, { jobId: await jobIdOf(verification) })
 */
export async function jobIdOf(delivery: DeliveryKey, form?: 'uuid'): Promise<string> {
  const { endpoint, key } = checkDeliveryKey(delivery)
  const digest = await digestOf([endpoint, key])
  if (form === undefined) return `delivery-${digest.slice(0, 48)}`
  if (form !== 'uuid') throw new TypeError("The form of a job id should be 'uuid' or left out.")
  return uuidOf(digest)
}

/** A UUID of version 8, whose bits are those of a hash (RFC 9562, section 5.8). */
function uuidOf(digest: string): string {
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16)
  const parts = [
    ...[digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`],
    ...[`${variant}${digest.slice(17, 20)}`, digest.slice(20, 32)],
  ]
  return parts.join('-')
}
