import { Refusal } from '../reject/refusal.ts'
import { readTimestamp } from './timestamp.ts'

/** How a signed timestamp stands to the receiver's clock, in seconds; at most one of the two is not 0. */
export interface Age {
  /** How long ago the delivery was signed. */
  readonly age: number
  /** How far the sender's clock is ahead. */
  readonly skew: number
}

/** The age of a timestamp at `now` (milliseconds since the epoch), or `undefined` where it has none of the forms. */
export function ageOf(timestamp: string, now: number): Age | undefined {
  const time = readTimestamp(timestamp)
  if (time === undefined) return undefined
  return { age: Math.max(0, now - time) / 1000, skew: Math.max(0, time - now) / 1000 }
}

/**
 * Refuses an authentic delivery whose timestamp is unreadable, or further than `tolerance` seconds
 * from `now` in either direction. `Infinity` accepts any timestamp, in any form.
 *
 * @throws Refusal `timestamp_unreadable`, `timestamp_too_old` or `timestamp_in_future` (401).
 */
export function judgeAge(timestamp: string, now: number, tolerance: number): void {
  if (tolerance === Number.POSITIVE_INFINITY) return
  const found = ageOf(timestamp, now)
  if (found === undefined) throw new Refusal('timestamp_unreadable', { timestamp })
  const { age, skew } = found
  // Written so that a clock that answers NaN refuses.
  if (!(age <= tolerance)) throw new Refusal('timestamp_too_old', { seconds: age, tolerance })
  if (!(skew <= tolerance)) throw new Refusal('timestamp_in_future', { seconds: skew, tolerance })
}
