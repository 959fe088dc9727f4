import type { Delivery } from '../delivery.ts'
import { type RejectedHook, runHook } from '../hooks.ts'
import type { DeliverySchemas, NoSchemas } from '../parse/schema.ts'
import { printError } from '../reject/print-error.ts'
import { createStderrReport } from '../reject/report.ts'
import { isWebhookError } from '../reject/webhook-error.ts'
import { assertCalled } from '../validate/called.ts'
import { createHandlerLookup, type DeliveryHandlers } from './dispatch.ts'
import { createLeaseRunner } from './lease-runner.ts'
import {
  type DeliveryHandlerOptions,
  isTransactional,
  type ResolvedHandlingOptions,
  resolveHandlingOptions,
} from './options.ts'
import { createPlainRunner } from './plain-runner.ts'
import type { Runner, RunnerSettings } from './runner.ts'
import type { Outcome } from './steps.ts'
import { createStepReporter, isHandlingError } from './steps.ts'
import { createTransactionRunner } from './transaction-runner.ts'

/** Handles one delivery, and resolves when it can be acknowledged. */
export type HandleDelivery<Handled = Delivery> = (delivery: Handled) => Promise<Outcome>

/**
 * Makes what every adapter's `deliveryHandler` calls: it finds the handler of a delivery's event and, given a
 * store, runs it once for each `id` of a signed body.
 *
 * The function rejects with the handler's own error, or with a WebhookError (503): `delivery_in_progress`,
 * `store_unavailable`, `lease_lost`, `handler_timeout`.
 *
 * @throws TypeError for an invalid handler or option.
 *
 * @example
 * const handle = createDeliveryHandler(
 *   { 'message.received': async (delivery) => { … } },
 *   { store: memoryStore() },
 * )
 * await handle(delivery)
 */
export function createDeliveryHandler<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Transaction = undefined,
>(
  handlers: DeliveryHandlers<Schemas, NoInfer<ExtraEvent>, NoInfer<Transaction>>,
  options: DeliveryHandlerOptions<ExtraEvent, Transaction> = {},
): HandleDelivery<Delivery<Schemas, ExtraEvent>> {
  assertCalled('deliveryHandler({ … })', handlers)
  const resolved = resolveHandlingOptions(options)
  const findHandler = createHandlerLookup(handlers, resolved.events)
  const report = createFailureReport(resolved)
  const run = chooseRunner({ ...resolved, onLateFailure: report.late })

  return async function handle(delivery) {
    const work = findHandler(delivery)
    const reportStep = createStepReporter(delivery, resolved)
    if (!work) {
      reportStep('ignored')
      return 'ignored'
    }
    try {
      const outcome = await run(delivery.id, async (context) => {
        reportStep('claimed')
        return work(delivery, context)
      })
      reportStep(outcome)
      return outcome
    } catch (error) {
      report.rejected(error)
      reportStep('failed', error)
      throw error
    }
  }
}

function chooseRunner(settings: RunnerSettings): Runner {
  const { store } = settings
  if (!store) return createPlainRunner(settings)
  return isTransactional(store)
    ? createTransactionRunner(store, settings)
    : createLeaseRunner(store, settings)
}

/** Reports to the operator what is answered 503, and what fails after the answer. */
function createFailureReport({ onRejected, now }: ResolvedHandlingOptions) {
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
  '[webhook-receiver] A handler failed after its delivery was answered 503 for taking too long.'

/** Two copies at the same time are normal, and no reason for a line in the log. */
function withoutInProgress(report: RejectedHook): RejectedHook {
  return (rejection) =>
    rejection.reason === 'delivery_in_progress' ? undefined : report(rejection)
}
