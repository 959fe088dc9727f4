import { readable } from '../reject/handler-failure.ts'
import { WebhookError, type WebhookErrorOptions } from '../reject/webhook-error.ts'

/** How far a delivery had come when the store failed. */
const STAGES = {
  begin: 'The handler was not run, and nothing happened.',
  running: 'The handler was running, and it is not known what comes of its transaction.',
  complete:
    'The handler had finished, so its effects are there, but they may not be marked: when the lease has run out, a ' +
    'copy of the delivery may be handled again.',
  commit:
    'The handler had finished and its transaction was being committed: it was, and the next copy is acknowledged, or ' +
    'it was not, and the next copy is handled.',
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
    `The store ${fault}. ${consequence(stage)} The delivery is answered 503, so that it comes again: check that the ` +
      'store runs and can be reached from here.',
    options,
  )
}

function consequence(stage: Stage): string {
  if (typeof stage === 'string') return STAGES[stage]
  return (
    'The handler was not run. It is not known whether the claim was made; it is being given back. If that fails too, a ' +
    `copy of the delivery has to wait until the claim runs out, up to ${stage.lease} s.`
  )
}

/** The error for a store that rejected. */
export function storeFailed(stage: Stage, cause: unknown): WebhookError {
  const read = readable(cause, 'The store')
  if (read instanceof WebhookError) return read
  const why = read instanceof Error ? read.message : 'it threw no Error'
  return storeUnavailable(stage, `failed: ${why}`, { cause: read })
}

/** The error for a store that did not answer in time. */
export function storeTooSlow(stage: Stage, seconds: number): WebhookError {
  return storeUnavailable(stage, `did not answer within ${Number(seconds.toPrecision(3))} s`)
}

export function inProgress(seconds: number): WebhookError {
  // What a store answers may be no number, and a fraction is no Retry-After.
  const isWait = typeof seconds === 'number' && seconds > 0 && seconds <= 86_400
  const wait = isWait ? Math.ceil(seconds) : 1
  return new WebhookError(
    'delivery_in_progress',
    'Another copy of the delivery is being handled at this moment, here or in another process. This one is answered ' +
      `503, to come again in ${wait} s; by then it is known whether the work was done. Nothing has to be done.`,
    { headers: { 'Retry-After': String(wait) } },
  )
}

export function leaseLost(how: string, lease: number, options?: WebhookErrorOptions): WebhookError {
  return new WebhookError(
    'lease_lost',
    `The claim on the delivery was lost while its handler ran: ${how}. Another process may handle the delivery as ` +
      'well, so this one is not acknowledged. Either the event loop was blocked, or the store could not be reached ' +
      `for the ${lease} s of the lease: raise the \`lease\` option, or move long computations off the event loop.`,
    options,
  )
}

export function handlerTimeout(seconds: number): WebhookError {
  return new WebhookError(
    'handler_timeout',
    `The handler had not finished after ${seconds} s. The delivery is answered 503 and not acknowledged, since its ` +
      'work is not done; the handler goes on, and with a store the next copy finds out how it ended. Make the ' +
      'handler faster, put the work in a queue, or raise the `timeout` option if the service waits longer.',
  )
}
