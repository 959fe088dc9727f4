import { attempt, startTimer } from '../async/timeout.ts'

/** The wait before the second attempt, in seconds. */
const FIRST = 0.05

export interface RetryOptions {
  /** The longest wait between two attempts, in seconds. */
  readonly longest: number
  /** When to give up, in milliseconds of the clock. */
  readonly end: number
  readonly now: () => number
  readonly random: () => number
}

/**
 * Calls `action` after 50 ms, and then with exponential backoff until it resolves or the end has come. Jitter takes up
 * to half of each wait away, so that actions which failed together are not retried together.
 */
export function retryUntil(
  action: () => unknown,
  { longest, end, now, random }: RetryOptions,
): Promise<void> {
  return new Promise((resolve) => {
    let wait = FIRST
    const retry = () => {
      const seconds = (Math.min(wait, longest) * (1 + random())) / 2
      if (now() + seconds * 1000 >= end) return resolve()
      wait *= 2
      startTimer(seconds, () => attempt(action).then(() => resolve(), retry))
    }
    retry()
  })
}
