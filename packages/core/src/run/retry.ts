import { attempt, startTimer, withTimeout } from '../async/timeout.ts'

/** The wait before the second attempt, in seconds. */
const FIRST = 0.05

export interface RetryOptions {
  /** The longest wait between two attempts, in seconds. */
  readonly longest: number
  /** How long an attempt is waited for, in seconds: twice as long after each that took longer, since that may still be under way. */
  readonly limit: number
  /** When to give up, by `performance.now`. */
  readonly end: number
}

/**
 * Calls `action` after 50 ms, and then with exponential backoff until it resolves or the end has come. Jitter takes up
 * to half of each wait away, so that actions which failed together are not retried together.
 *
 * @param first the attempt that failed, or that took too long. A store that is only slow must not be asked again for what it has done.
 */
export function retryUntil(
  first: unknown,
  action: () => unknown,
  { longest, limit, end }: RetryOptions,
): Promise<void> {
  return new Promise((resolve) => {
    let wait = FIRST
    let patience = limit
    let isDone = false
    const finish = () => {
      isDone = true
      resolve()
    }
    const retry = () => {
      const seconds = (Math.min(wait, longest) * (1 + Math.random())) / 2
      if (isDone || performance.now() + seconds * 1000 >= end) return resolve()
      wait *= 2
      startTimer(seconds, () => {
        if (isDone) return
        const trying = attempt(action)
        trying.then(finish, () => {})
        const grow = () => {
          patience *= 2
        }
        withTimeout(patience, trying, grow).catch(retry)
      })
    }
    // It may be an object whose `then` throws.
    if (first) Promise.resolve(first).then(finish, () => {})
    retry()
  })
}
