import type { Delivery } from '../delivery.ts'
import { runHook } from '../hooks.ts'
import type { DeliverySchemas, NoSchemas } from '../parse/schema.ts'
import { requireAttached } from '../request/attached.ts'
import { assertCalled } from '../validate/called.ts'
import { createHandlerLookup, type DeliveryHandlers } from './dispatch.ts'
import { createFailureReport } from './failure-report.ts'
import { createLeaseRunner } from './lease-runner.ts'
import { observeStore } from './observed-store.ts'
import { type DeliveryHandlerOptions, isTransactional, resolveHandlingOptions } from './options.ts'
import { createPlainRunner } from './plain-runner.ts'
import type { Runner, RunnerSettings } from './runner.ts'
import type { Outcome } from './steps.ts'
import { createStepReporter } from './steps.ts'
import { createTransactionRunner } from './transaction-runner.ts'

/**
 * Handles one delivery, and resolves when it can be acknowledged. It resolves to `'acknowledged'` if the handler still runs.
 *
 * `timeLeft` is the time until the process is stopped, in seconds, if that is known. If it is shorter than the option
 * `timeout`, it is used instead.
 */
export type HandleDelivery<Handled = Delivery> = (
  delivery: Handled,
  timeLeft?: number,
) => Promise<Outcome | 'acknowledged'>

/**
 * Returns the function that every adapter's `deliveryHandler` calls. It finds the handler for the event of a delivery and
 * runs it; with a store, it runs it once for each `id`.
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

  const { acknowledgeEarly, timeout } = resolved
  return acknowledgeEarly ? handleEarly : handle

  async function handle(
    delivery: Delivery<Schemas, ExtraEvent>,
    timeLeft = timeout,
  ): Promise<Outcome> {
    return handleToEnd(delivery, Math.min(timeLeft, timeout))
  }

  async function handleToEnd(
    delivery: Delivery<Schemas, ExtraEvent>,
    seconds: number,
    onBegin?: () => void,
  ): Promise<Outcome> {
    // A receiver sets `known`. As a handler of requests it would get one here.
    if (typeof delivery?.known !== 'boolean') requireAttached(undefined, { advice: ADVICE })
    const work = findHandler(delivery)
    const reportStep = createStepReporter(delivery, resolved)
    if (!work) {
      reportStep('ignored')
      return 'ignored'
    }
    let begun = false
    try {
      const begin: Parameters<Runner>[1] = async (context) => {
        reportStep('claimed')
        begun = onBegin !== undefined
        onBegin?.()
        return work(delivery, context)
      }
      const outcome = await run(delivery.id, begin, seconds)
      reportStep(outcome)
      return outcome
    } catch (error) {
      // What was acknowledged is not answered again.
      if (!begun) report.rejected(error)
      reportStep('failed', error)
      throw error
    }
  }

  function handleEarly(delivery: Delivery<Schemas, ExtraEvent>): Promise<Outcome | 'acknowledged'> {
    return new Promise((resolve, reject) => {
      let acknowledged = false
      const onBegin = () => {
        acknowledged = true
        resolve('acknowledged')
      }
      handleToEnd(delivery, timeout, onBegin).then(resolve, (error: unknown) => {
        if (!acknowledged) reject(error)
        // What a schema made of it has its own type, which a hook for all handlers cannot have.
        const lost = () => ({ delivery: delivery as Delivery, error })
        if (acknowledged) void runHook('onLost', acknowledgeEarly?.onLost, lost)
      })
    })
  }
}

const ADVICE =
  'The delivery handler was called with something else, so nothing was verified. Give it the `delivery` of a receiver: ' +
  'const { delivery } = await receiver.receiveRequest(request).'

function chooseRunner(settings: RunnerSettings): Runner {
  const { store: given, onStoreCall } = settings
  if (!given) return createPlainRunner(settings)
  const store = onStoreCall ? observeStore(given, onStoreCall, settings) : given
  return isTransactional(store)
    ? createTransactionRunner(store, settings)
    : createLeaseRunner(store, settings)
}
