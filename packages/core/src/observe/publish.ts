import type { HandlingHook } from '../handling/steps.ts'
import type { StoreCallHook } from '../handling/store-call.ts'
import type { AcceptedHook, RejectedHook } from '../hooks.ts'
import { createStderrReport } from '../reject/report.ts'
import { CHANNELS, publisher } from './channels.ts'
import type { HandlingMessage, ReceivedMessage, RejectedMessage, StoreMessage } from './messages.ts'

export interface ReceiverDiagnosticsOptions {
  /**
   * The name of this receiver in the messages: the same as the `endpoint` of its `deliveryHandler`.
   * @default 'default'
   */
  readonly endpoint?: string | undefined
  /** Also called for each accepted delivery. */
  readonly onAccepted?: AcceptedHook | undefined
  /** Also called for each rejected request. The default writes lines to standard error, as in a receiver without channels. */
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
 * The hooks of a `deliveryHandler` that publish on the channels `claimed`, `duplicate`, `completed`, `failed`, `ignored`
 * and `store`.
 *
 * @example
 * deliveryHandler(handlers, { store, ...handlerDiagnostics() })
 */
export function handlerDiagnostics({
  onHandling,
  onStoreCall,
}: {
  /** Also called for each step. */
  readonly onHandling?: HandlingHook | undefined
  /** Also called after each call of the store. */
  readonly onStoreCall?: StoreCallHook | undefined
} = {}): { readonly onHandling: HandlingHook; readonly onStoreCall: StoreCallHook } {
  const publish = {
    claimed: publisher(CHANNELS.claimed),
    duplicate: publisher(CHANNELS.duplicate),
    completed: publisher(CHANNELS.completed),
    failed: publisher(CHANNELS.failed),
    ignored: publisher(CHANNELS.ignored),
  }
  const called = publisher(CHANNELS.store)
  return {
    onHandling(handled) {
      const { step, at, duration, endpoint, id, event, known, reason, error } = handled
      publish[step]((): HandlingMessage => {
        const errorName = nameOf(error)
        return { at, duration, endpoint, id, event, known, reason, errorName }
      })
      return onHandling?.(handled)
    },
    onStoreCall(call) {
      const { operation, result, at, duration, endpoint, error } = call
      called((): StoreMessage => {
        return { at, duration, endpoint, operation, result, errorName: nameOf(error) }
      })
      return onStoreCall?.(call)
    },
  }
}

function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined
}
