import { readable } from '../reject/handler-failure.ts'
import { rejection } from '../reject/rejection.ts'
import {
  isWebhookError,
  type WebhookError,
  type WebhookErrorOptions,
} from '../reject/webhook-error.ts'

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

/** The error for a delivery whose store gave no usable result. */
export function storeUnavailable(
  stage: Stage,
  fault: string,
  options?: WebhookErrorOptions,
): WebhookError {
  return rejection('store_unavailable', { fault, consequence: consequence(stage) }, options)
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
  if (isWebhookError(read)) return read
  const message = read instanceof Error ? read.message : 'it threw a value that is not an Error'
  const why = message.replace(/\.$/, '')
  return storeUnavailable(stage, `failed: ${why}`, { cause: read })
}

/** The error for a store that did not respond in time. */
export function storeTooSlow(stage: Stage, seconds: number): WebhookError {
  return storeUnavailable(stage, `did not respond within ${rounded(seconds)} s`)
}

function rounded(seconds: number): number {
  return Number(seconds.toPrecision(3))
}

export function inProgress(seconds: number): WebhookError {
  // A store may return no number, and Retry-After has no fractions.
  const isWait = typeof seconds === 'number' && seconds > 0 && seconds <= 86_400
  const wait = isWait ? Math.ceil(seconds) : 1
  return rejection('delivery_in_progress', { wait }, { headers: { 'Retry-After': String(wait) } })
}

export function leaseLost(how: string, lease: number, options?: WebhookErrorOptions): WebhookError {
  return rejection('lease_lost', { how, lease }, options)
}

export function handlerTimeout(seconds: number): WebhookError {
  return rejection('handler_timeout', { seconds: rounded(seconds) })
}

export function handlerAbandoned(seconds: number): WebhookError {
  return rejection('handler_abandoned', { seconds: rounded(seconds) })
}
