import type { Delivery } from '../delivery.ts'
import { type RejectedHook, runHook } from '../hooks.ts'
import type { DeliverySchemas, NoSchemas } from '../parse/schema.ts'
import { printError } from '../reject/print-error.ts'
import { stderrReport } from '../reject/report.ts'
import { isWebhookError } from '../reject/webhook-error.ts'
import { assertCalled } from '../validate/called.ts'
import { type DeliveryHandlers, handlerTable } from './dispatch.ts'
import { leasedRunner } from './lease-runner.ts'
import {
  type DeliveryHandlerOptions,
  isTransactional,
  type SettledHandling,
  settleHandling,
} from './options.ts'
import { unkeptRunner } from './plain-runner.ts'
import type { Runner, RunnerSettings } from './runner.ts'
import type { Outcome } from './steps.ts'
import { isOwn, stepsOf } from './steps.ts'
import { transactedRunner } from './transaction-runner.ts'

/** Handles one delivery, and resolves when it can be acknowledged. */
export type HandleDelivery<Handled = Delivery> = (delivery: Handled) => Promise<Outcome>

/**
 * Makes what every adapter's `deliveryHandler` calls: it finds the handler of a delivery's event and, given a
 * store, runs it once for each `id` of a signed body.
 *
 * The function rejects with the handler's own error, or with a WebhookError (503): `delivery_in_progress`,
 * `store_unavailable`, `lease_lost`, `handler_timeout`.
 *
 * @throws TypeError for a handler or an option that cannot be right.
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
  const settled = settleHandling(options)
  const find = handlerTable(handlers, settled.events)
  const tell = reporter(settled)
  const run = runnerOf({ ...settled, afterwards: tell.afterwards })

  return async function handle(delivery) {
    const work = find(delivery)
    const step = stepsOf(delivery, settled)
    if (!work) {
      step('ignored')
      return 'ignored'
    }
    try {
      const outcome = await run(delivery.id, async (context) => {
        step('claimed')
        return work(delivery, context)
      })
      step(outcome)
      return outcome
    } catch (error) {
      tell.refused(error)
      step('failed', error)
      throw error
    }
  }
}

function runnerOf(settings: RunnerSettings): Runner {
  const { store } = settings
  if (!store) return unkeptRunner(settings)
  return isTransactional(store) ? transactedRunner(store, settings) : leasedRunner(store, settings)
}

const AFTERWARDS =
  '[webhook-receiver] A handler failed after its delivery was answered 503 for taking too long.'

/** Tells the operator what is answered 503, and what comes to light after the answer. */
function reporter({ onRejected, now }: SettledHandling) {
  const hook = onRejected ?? quietly(stderrReport(now))

  function refused(error: unknown): void {
    if (hook === false || !isOwn(error)) return
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

  function afterwards(error: unknown): void {
    if (isWebhookError(error)) refused(error)
    else printError(AFTERWARDS, error)
  }

  return { refused, afterwards }
}

/** That two copies meet is in the order of things. */
function quietly(report: RejectedHook): RejectedHook {
  return (rejection) =>
    rejection.reason === 'delivery_in_progress' ? undefined : report(rejection)
}
