import { runHook, secondsSince } from '../hooks.ts'
import type { Reason } from '../reject/refusal.ts'
import { isWebhookError, type WebhookError } from '../reject/webhook-error.ts'
import type { SettledHandling } from './options.ts'
import type { Outcome } from './runner.ts'

/** What happens to a delivery on its way through `deliveryHandler`. */
export interface HandlingStep {
  /**
   * `claimed`: its handler begins; with a store, nobody else's does. `duplicate`: it was handled before, or is
   * being handled (then there is a `reason`). `completed`: its handler is done, and it is marked as done.
   * `failed`: its handler threw, or the `reason` stood in the way. `ignored`: there is no handler for it.
   */
  readonly step: 'claimed' | 'failed' | Outcome
  /** When, in milliseconds since the epoch, by the clock of the handler. */
  readonly at: number
  /** How long after the delivery reached `deliveryHandler`, in seconds. */
  readonly duration: number
  readonly endpoint: string
  readonly id: string
  readonly event: string
  readonly known: boolean
  /** Why the delivery is answered 503, where the library does that. */
  readonly reason: Reason | undefined
  /** What was thrown, where something was. What a handler throws may quote the delivery. */
  readonly error: unknown
}

export type HandlingHook = (step: HandlingStep) => void | Promise<void>

type Tell = (step: HandlingStep['step'], error?: unknown) => void

/** Tells the hook each step of a delivery; nothing, and at no cost, where there is none. */
export function stepsOf(
  { id, event, known }: Pick<HandlingStep, 'id' | 'event' | 'known'>,
  { onHandling, endpoint, now }: SettledHandling,
): Tell {
  if (!onHandling) return () => {}
  const since = performance.now()
  return (step, error) => {
    const reason = isOwn(error) ? error.reason : undefined
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

const OWN: readonly Reason[] = [
  'delivery_in_progress',
  'store_unavailable',
  'lease_lost',
  'handler_timeout',
]

/** Whether an error is a refusal of the delivery handler itself. */
export function isOwn(error: unknown): error is WebhookError {
  return isWebhookError(error) && OWN.includes(error.reason)
}
