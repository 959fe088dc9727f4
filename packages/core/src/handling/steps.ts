import { runHook, secondsSince } from '../hooks.ts'
import type { Reason } from '../reject/reasons.ts'
import { isWebhookError, type WebhookError } from '../reject/webhook-error.ts'

/** One step of a delivery in `deliveryHandler`. */
export interface HandlingStep {
  /**
   * `claimed`: its handler begins; with a store, no other process handles it. `duplicate`: it was handled before, or
   * is being handled (then there is a `reason`). `completed`: its handler is done, and it is marked as done.
   * `failed`: its handler threw an error, or it failed for the `reason`. `ignored`: there is no handler for it.
   */
  readonly step: 'claimed' | 'failed' | Outcome
  /** The time of the step, in milliseconds since the epoch, by the clock of the handler. */
  readonly at: number
  /** The time since `deliveryHandler` was called, in seconds. */
  readonly duration: number
  readonly endpoint: string
  readonly id: string
  readonly event: string
  readonly known: boolean
  /** The reason if the answer is 503; otherwise `undefined`. */
  readonly reason: Reason | undefined
  /** The thrown value, if there is one. An error of a handler may quote the delivery. */
  readonly error: unknown
}

export type HandlingHook = (step: HandlingStep) => void | Promise<void>

/** The result of a delivery that can be acknowledged. */
export type Outcome =
  /** Its handler ran to its end. */
  | 'completed'
  /** It had been handled before. */
  | 'duplicate'
  /** There is no handler for it. */
  | 'ignored'

/** The options that are needed to report the steps. */
export interface StepSettings {
  readonly onHandling: HandlingHook | undefined
  readonly endpoint: string
  readonly now: () => number
}

type ReportStep = (step: HandlingStep['step'], error?: unknown) => void

/** Calls the hook for each step of a delivery; does nothing where there is no hook. */
export function createStepReporter(
  { id, event, known }: Pick<HandlingStep, 'id' | 'event' | 'known'>,
  { onHandling, endpoint, now }: StepSettings,
): ReportStep {
  if (!onHandling) return () => {}
  const since = performance.now()
  return (step, error) => {
    const reason = isHandlingError(error) ? error.reason : undefined
    void runHook('onHandling', onHandling, () => ({
      step: reason === 'delivery_in_progress' ? 'duplicate' : step,
      at: now(),
      duration: secondsSince(since),
      endpoint,
      id,
      event,
      known,
      reason,
      error,
    }))
  }
}

const HANDLING_REASONS: readonly Reason[] = [
  'delivery_in_progress',
  'store_unavailable',
  'lease_lost',
  'handler_timeout',
]

/** Whether an error comes from the delivery handler itself. */
export function isHandlingError(error: unknown): error is WebhookError {
  return isWebhookError(error) && HANDLING_REASONS.includes(error.reason)
}
