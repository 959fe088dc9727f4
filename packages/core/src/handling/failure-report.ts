import { type RejectedHook, runHook } from '../hooks.ts'
import { DEFAULT_ENDPOINT } from '../option-rules.ts'
import { whereOf } from '../reject/handler-failure.ts'
import { printError } from '../reject/print-error.ts'
import { createStderrReport } from '../reject/stderr-report.ts'
import { isWebhookError } from '../reject/webhook-error.ts'
import type { ParsedDelivery } from '../verify/scheme.ts'
import type { ResolvedHandlingOptions } from './settings.ts'
import { isHandlingError } from './steps.ts'

export interface FailureReport {
  /** What gets status 503. `url` is the path and query as requested, if it is known. */
  rejected(error: unknown, delivery: ParsedDelivery, url?: string): void
  /** What fails after the response. */
  late(error: unknown, delivery: ParsedDelivery, url?: string): void
}

/** Reports to the operator what gets status 503, and what fails after the response. */
export function createFailureReport({
  onRejected,
  now,
  endpoint: name,
  scheme,
}: Pick<ResolvedHandlingOptions, 'onRejected' | 'now' | 'endpoint' | 'scheme'>): FailureReport {
  const endpoint = name === DEFAULT_ENDPOINT ? undefined : name
  const hook = onRejected ?? withoutInProgress(createStderrReport(now))

  function rejected(error: unknown, { id, event }: ParsedDelivery, url?: string): void {
    if (hook === false || !isHandlingError(error)) return
    const { reason, status, code, detail, cause } = error
    void runHook('onRejected', hook, () => ({
      at: now(),
      duration: undefined,
      age: undefined,
      skew: undefined,
      webhookId: undefined,
      scheme: scheme.name,
      endpoint,
      remote: { url },
      id,
      event,
      reason,
      status,
      code,
      detail,
      cause,
      signatureValid: true,
      proven: true,
      secrets: [],
    }))
  }

  function late(error: unknown, delivery: ParsedDelivery, url?: string): void {
    if (isWebhookError(error)) {
      rejected(error, delivery, url)
      return
    }
    const where = whereOf(delivery, endpoint, url)
    printError(`[webhook-receiver] 503 was sent before the handler failed${where}:`, error)
  }

  return { rejected, late }
}

/** Two copies at the same time are normal, and no reason for a line in the log. */
function withoutInProgress(report: RejectedHook): RejectedHook {
  return (rejection) =>
    rejection.reason === 'delivery_in_progress' ? undefined : report(rejection)
}
