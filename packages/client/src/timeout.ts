import { WebhookApiError } from './errors.ts'

/**
 * Does the work within a time, unless `signal` is aborted first. Settles at once then, also where the
 * work does not heed the signal that it was given.
 *
 * @throws WebhookApiError `timeout`; or the reason of `signal`.
 */
export function withTimeout<Result>(
  seconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const controller = new AbortController()
    const stop = (reason: unknown) => {
      settle()
      reject(reason)
      controller.abort(reason)
    }
    const onAbort = () => stop(signal?.reason)
    const timer = setTimeout(() => stop(timedOut(seconds)), seconds * 1000)
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    signal?.addEventListener('abort', onAbort)
    work(controller.signal).finally(settle).then(resolve, reject)
  })
}

function timedOut(seconds: number): WebhookApiError {
  return new WebhookApiError('timeout', `The service did not answer within ${seconds} s.`)
}
