import { after, asking } from '../async/timeout.ts'

/** The wait before the second try, in seconds. */
const FIRST = 0.05

export interface RetryTerms {
  /** The longest wait between two tries, in seconds. */
  readonly longest: number
  /** When to give up, in milliseconds of the clock. */
  readonly end: number
  readonly now: () => number
  readonly random: () => number
}

/**
 * Tries again after 50 ms, and then after twice as long each time, until `attempt` resolves or the end has
 * come. Jitter takes up to half of each wait away, so that tries which failed together do not meet again.
 */
export function retryUntil(
  attempt: () => Promise<unknown>,
  { longest, end, now, random }: RetryTerms,
): Promise<void> {
  return new Promise((resolve) => {
    let wait = FIRST
    const retry = () => {
      const seconds = (Math.min(wait, longest) * (1 + random())) / 2
      if (now() + seconds * 1000 >= end) return resolve()
      wait *= 2
      after(seconds, () => asking(attempt).then(() => resolve(), retry))
    }
    retry()
  })
}
