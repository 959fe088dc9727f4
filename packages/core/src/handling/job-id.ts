import type { Delivery } from '../delivery.ts'
import { digestOf } from './store-key.ts'

/**
 * A job id, deduplication id or idempotency key for a delivery, in a form that most queues accept: at most 109 letters,
 * digits, hyphens and underscores, never a number. It is the same for each copy of a delivery.
 *
 * It is made from the signed `id`. Different ids never get the same result: an id that is longer or has other characters
 * is hashed.
 *
 * @example
 * await queue.add(delivery.event, delivery, { jobId: await jobIdOf(delivery) })
 */
export async function jobIdOf({ id }: Pick<Delivery, 'id'>): Promise<string> {
  return PLAIN.test(id) ? `delivery-${id}` : `sha256-${await digestOf(id)}`
}

const PLAIN = /^[\w-]{1,100}$/
