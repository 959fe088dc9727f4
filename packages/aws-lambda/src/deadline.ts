import { numberRule, optional, type Rule } from '@webhook-receiver/core/adapter'

/** The part of an invocation's context that is used. Without a context there is no timeout. */
export interface LambdaContext {
  getRemainingTimeInMillis?(): number
}

/** The option of this adapter. */
export interface DeadlineMargin {
  /**
   * How long before the function's own timeout the receiver responds with 503, if the handler is still running, in seconds. If
   * `timeout` ends earlier, that counts. Anything but a number from 0 is a TypeError.
   * @default 0.5
   */
  readonly deadlineMargin?: number | undefined
}

export const DEADLINE: { readonly deadlineMargin: Rule<number | undefined> } = {
  deadlineMargin: optional(numberRule({ unit: 'seconds', from: 0 })),
}

/**
 * Keeps the process awake for work. Where nothing else is waited for, the runtime takes `null` for the result, and an HTTP API makes
 * 200 of that.
 */
export async function awake<Result>(work: () => Promise<Result>): Promise<Result> {
  const alive = setInterval(() => {}, DAY)
  try {
    return await work()
  } finally {
    clearInterval(alive)
  }
}

/** What is left for the handler, in seconds. */
export function timeLeft(context: LambdaContext | undefined, margin: number): number | undefined {
  const milliseconds = context?.getRemainingTimeInMillis?.()
  return milliseconds === undefined ? undefined : Math.max(milliseconds / 1000 - margin, 0)
}

/** In milliseconds. No invocation takes as long. */
const DAY = 86_400_000
