import { rejection } from '../reject/rejection.ts'
import type { Scheme } from './scheme.ts'

/** How a signed timestamp stands to the receiver's clock, in seconds; at most one of the two is not 0. */
export interface Age {
  /** How long ago the delivery was signed. */
  readonly age: number
  /** How far the sender's clock is ahead. */
  readonly skew: number
}

/** Whether a delivery of the scheme is too old at some time. */
export function hasWindow({ tolerance, expires = false }: Scheme): boolean {
  return expires || Number.isFinite(tolerance)
}

/** The age of a time at `now`, both in milliseconds since the epoch. */
export function ageOf(time: number, now: number): Age {
  return { age: Math.max(0, now - time) / 1000, skew: Math.max(0, time - now) / 1000 }
}

/**
 * Rejects a delivery with a valid signature that was made further than `tolerance` seconds from `now` in either direction.
 *
 * @throws WebhookError `timestamp_too_old` or `timestamp_in_future` (401).
 */
export function checkAge(time: number, now: number, tolerance: number): void {
  const { age, skew } = ageOf(time, now)
  // Written so that a clock that returns NaN rejects.
  if (!(age <= tolerance)) throw rejection('timestamp_too_old', { seconds: age, tolerance, now })
  if (!(skew <= tolerance))
    throw rejection('timestamp_in_future', { seconds: skew, tolerance, now })
}
