import type { Verification } from '../delivery.ts'
import { digestOf } from '../store/key.ts'

/**
 * A job id, deduplication id or idempotency key for a delivery, in a form that most queues accept: at most 109 letters,
 * digits, hyphens and underscores, never a number. It is the same for each copy of a delivery.
 *
 * It is made of the `verification` of a delivery, or of its `key`. A delivery of the default format is enough, because its id is
 * signed. Different keys never get the same result: one that is longer or has other characters is hashed.
 *
 * @throws TypeError for a delivery of another scheme.
 *
 * @example
 * await queue.add(delivery.event, delivery, { jobId: await jobIdOf(verification) })
 */
export async function jobIdOf(
  from: string | Pick<Verification, 'key'> | SignedId,
): Promise<string> {
  const key = keyIn(from)
  return PLAIN.test(key) ? `delivery-${key}` : `sha256-${await digestOf(key)}`
}

/** A delivery without the property that those of another scheme have. */
interface SignedId {
  readonly id: string
  readonly scheme?: undefined
}

function keyIn(from: unknown): string {
  const { key, id, scheme } = Object(from)
  const found = typeof from === 'string' ? from : (key ?? (scheme === undefined ? id : undefined))
  if (typeof found === 'string' && found !== '') return found
  throw new TypeError(
    'jobIdOf needs the `verification` of the delivery, or its `key`: the id of a delivery may not be signed.',
  )
}

const PLAIN = /^[\w-]{1,100}$/
