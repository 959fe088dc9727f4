import { readable } from '../reject/handler-failure.ts'
import { WebhookError, type WebhookErrorOptions } from '../reject/webhook-error.ts'

/** How far a delivery had come when the store failed. */
const STAGES = {
  begin: 'The handler did not run.',
  running:
    'The handler was running, and it is not known whether its transaction will be committed.',
  complete:
    'The handler had finished, but the store may not have marked the delivery as done. After the end of the lease, a ' +
    'copy may be handled again.',
  commit:
    'The handler had finished, but it is not known whether its transaction was committed. If it was, the next copy is ' +
    'acknowledged, otherwise it is handled.',
} as const

/** The stage at which the store failed; for a claim, the length of its lease in seconds. */
export type Stage = 'begin' | 'running' | 'complete' | 'commit' | { readonly lease: number }

/** The error for a delivery whose store gave no usable answer. */
export function storeUnavailable(
  stage: Stage,
  fault: string,
  options?: WebhookErrorOptions,
): WebhookError {
  return new WebhookError(
    'store_unavailable',
    `The store ${fault}. ${consequence(stage)} The answer is 503, so the service sends the delivery again. Check that the ` +
      'store runs and that this machine can reach it.',
    options,
  )
}

function consequence(stage: Stage): string {
  if (typeof stage === 'string') return STAGES[stage]
  return (
    'The handler did not run. It is not known whether the store made the claim, so it is being released. If that fails too, ' +
    `the next copy has to wait until the claim expires, up to ${stage.lease} s.`
  )
}

/** The error for a store that rejected. */
export function storeFailed(stage: Stage, cause: unknown): WebhookError {
  const read = readable(cause, 'The store')
  if (read instanceof WebhookError) return read
  const message = read instanceof Error ? read.message : 'it threw a value that is not an Error'
  const why = message.replace(/\.$/, '')
  return storeUnavailable(stage, `failed: ${why}`, { cause: read })
}

/** The error for a store that did not answer in time. */
export function storeTooSlow(stage: Stage, seconds: number): WebhookError {
  return storeUnavailable(stage, `did not answer within ${rounded(seconds)} s`)
}

function rounded(seconds: number): number {
  return Number(seconds.toPrecision(3))
}

export function inProgress(seconds: number): WebhookError {
  // A store may return no number, and Retry-After has no fractions.
  const isWait = typeof seconds === 'number' && seconds > 0 && seconds <= 86_400
  const wait = isWait ? Math.ceil(seconds) : 1
  return new WebhookError(
    'delivery_in_progress',
    'Another copy of the delivery is being handled at this moment, here or in another process. The answer is 503 with a ' +
      `Retry-After of ${wait} s. By then it is known whether the work was done. You do not have to do anything.`,
    { headers: { 'Retry-After': String(wait) } },
  )
}

export function leaseLost(how: string, lease: number, options?: WebhookErrorOptions): WebhookError {
  return new WebhookError(
    'lease_lost',
    `The claim on the delivery was lost while its handler ran: ${how}. Another process may be handling the delivery ` +
      'too, so the answer is 503. Either the event loop was blocked, or the store could not be reached ' +
      `for the ${lease} s of the lease. Raise the \`lease\` option, or move long computations off the event loop.`,
    options,
  )
}

export function handlerTimeout(seconds: number): WebhookError {
  return new WebhookError(
    'handler_timeout',
    `The handler had not finished after ${rounded(seconds)} s. The answer is 503, because the work is not done. The handler ` +
      'continues if its process does, and with a store the next copy gets its result. Make the handler faster, or put the work in ' +
      'a queue. If the service waits longer, raise the `timeout` option, and on AWS Lambda the time-out of the function.',
  )
}
