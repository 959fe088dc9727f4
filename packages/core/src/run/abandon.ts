import { withTimeout } from '../async/timeout.ts'
import { WorkContext } from '../handling/context.ts'
import { handlerAbandoned } from '../handling/unavailable.ts'
import { isWebhookError, type WebhookError } from '../reject/webhook-error.ts'

/**
 * Settles as `working` does. If that takes longer than `seconds`, aborts the signal of `context` and rejects with the same
 * WebhookError `handler_abandoned`. What becomes of `working` later has no consequence; `late` is called with what it fails with, unless
 * that is the reason of the signal.
 */
export function abandonAfter<Value>(
  seconds: number,
  context: WorkContext<unknown>,
  working: Promise<Value>,
  late: (error: unknown) => void,
  onAbandoned: (error: WebhookError) => void = () => {},
): Promise<Value> {
  return withTimeout(seconds, working, () => {
    const error = handlerAbandoned(seconds)
    WorkContext.abort(context, error)
    onAbandoned(error)
    working.catch((thrown) => {
      if (!isAbandoned(thrown)) late(thrown)
    })
    return error
  })
}

/** Whether an error says that a handler was abandoned, so that it may still be running. */
export function isAbandoned(error: unknown): boolean {
  return isWebhookError(error) && error.reason === 'handler_abandoned'
}
