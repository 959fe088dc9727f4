import { type RejectedHook, runHook } from '../hooks.ts'
import { printError } from '../reject/print-error.ts'
import { createStderrReport } from '../reject/report.ts'
import { isWebhookError } from '../reject/webhook-error.ts'
import type { ResolvedHandlingOptions } from './options.ts'
import { isHandlingError } from './steps.ts'

export interface FailureReport {
  /** What is answered 503. */
  rejected(error: unknown): void
  /** What fails after the answer. */
  late(error: unknown): void
}

/** Reports to the operator what is answered 503, and what fails after the answer. */
export function createFailureReport({
  onRejected,
  now,
}: Pick<ResolvedHandlingOptions, 'onRejected' | 'now'>): FailureReport {
  const hook = onRejected ?? withoutInProgress(createStderrReport(now))

  function rejected(error: unknown): void {
    if (hook === false || !isHandlingError(error)) return
    const { reason, status, code, detail, cause } = error
    void runHook('onRejected', hook, () => ({
      at: now(),
      duration: undefined,
      age: undefined,
      skew: undefined,
      webhookId: undefined,
      remote: {},
      reason,
      status,
      code,
      detail,
      cause,
      authentic: true,
      secrets: [],
    }))
  }

  function late(error: unknown): void {
    if (isWebhookError(error)) rejected(error)
    else printError(LATE_FAILURE, error)
  }

  return { rejected, late }
}

const LATE_FAILURE =
  '[webhook-receiver] A handler failed after the time limit. Its delivery was already answered 503.'

/** Two copies at the same time are normal, and no reason for a line in the log. */
function withoutInProgress(report: RejectedHook): RejectedHook {
  return (rejection) =>
    rejection.reason === 'delivery_in_progress' ? undefined : report(rejection)
}
