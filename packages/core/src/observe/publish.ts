import type { HandlingHook } from '../handling/steps.ts'
import type { AcceptedHook, RejectedHook } from '../hooks.ts'
import { createStderrReport } from '../reject/report.ts'
import { CHANNELS, publisher } from './channels.ts'
import type { HandlingMessage, ReceivedMessage, RejectedMessage } from './messages.ts'

export interface ReceiverDiagnosticsOptions {
  /**
   * What the messages call this receiver: the same as the `endpoint` of its `deliveryHandler`.
   * @default 'default'
   */
  readonly endpoint?: string | undefined
  /** Called as well, for each accepted delivery. */
  readonly onAccepted?: AcceptedHook | undefined
  /** Called as well, for each rejected request. By default lines on standard error, as without this. */
  readonly onRejected?: RejectedHook | false | undefined
}

/**
 * The hooks of a receiver that publish on the channels `received` and `rejected`.
 *
 * @example
 * webhookMiddleware(secret, { ...receiverDiagnostics() })
 */
export function receiverDiagnostics({
  endpoint = 'default',
  onAccepted,
  onRejected = createStderrReport(Date.now),
}: ReceiverDiagnosticsOptions = {}): {
  readonly onAccepted: AcceptedHook
  readonly onRejected: RejectedHook
} {
  const received = publisher(CHANNELS.received)
  const rejected = publisher(CHANNELS.rejected)
  return {
    onAccepted(acceptance) {
      const { at, duration, age, skew, id, event, known, secret } = acceptance
      received(
        (): ReceivedMessage => ({ at, duration, age, skew, endpoint, id, event, known, secret }),
      )
      return onAccepted?.(acceptance)
    },
    onRejected(rejection) {
      const { at, duration, age, skew, reason, status, authentic, secrets } = rejection
      rejected(
        (): RejectedMessage => ({
          ...{ at, duration, age, skew, endpoint },
          ...{ reason, status, authentic, secrets },
        }),
      )
      if (onRejected) return onRejected(rejection)
    },
  }
}

/**
 * The hook of a `deliveryHandler` that publishes on the channels `claimed`, `duplicate`, `completed`, `failed` and
 * `ignored`.
 *
 * @example
 * deliveryHandler(handlers, { store, ...handlerDiagnostics() })
 */
export function handlerDiagnostics({
  onHandling,
}: {
  /** Called as well, for each step. */
  readonly onHandling?: HandlingHook | undefined
} = {}): { readonly onHandling: HandlingHook } {
  const publish = {
    claimed: publisher(CHANNELS.claimed),
    duplicate: publisher(CHANNELS.duplicate),
    completed: publisher(CHANNELS.completed),
    failed: publisher(CHANNELS.failed),
    ignored: publisher(CHANNELS.ignored),
  }
  return {
    onHandling(handled) {
      const { step, at, duration, endpoint, id, event, known, reason, error } = handled
      publish[step]((): HandlingMessage => {
        const errorName = error instanceof Error ? error.name : undefined
        return { at, duration, endpoint, id, event, known, reason, errorName }
      })
      return onHandling?.(handled)
    },
  }
}
