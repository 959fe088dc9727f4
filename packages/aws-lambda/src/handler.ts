import {
  assertCalled,
  checkValue,
  createDeliveryHandler,
  type Delivery,
  type DeliveryHandlerOptions,
  type DeliveryHandlers,
  type DeliverySchemas,
  type NoSchemas,
  requireAttached,
} from '@webhook-receiver/core/adapter'
import { numberRule } from '@webhook-receiver/core/options'
import type { LambdaContext, LambdaExchange } from './webhook-handler.ts'

/** The options of `deliveryHandler`, without `acknowledgeEarly`: Lambda freezes the process after the answer, and the handler with it. */
export interface LambdaDeliveryHandlerOptions<
  ExtraEvent extends string = never,
  Transaction = undefined,
> extends Omit<DeliveryHandlerOptions<ExtraEvent, Transaction>, 'acknowledgeEarly'> {
  /**
   * How long before the time-out of the function the answer is 503 if the handler is still running, in seconds. If `timeout`
   * ends earlier, it is used. Anything but a number from 0 is a TypeError.
   * @default 0.5
   */
  readonly deadlineMargin?: number | undefined
}

const MARGIN = numberRule({ unit: 'seconds', from: 0 })

/**
 * The handler of a `webhookHandler`. It runs the handler for the event of the delivery (only once, if there is a `store`), and
 * answers before the time-out of the function.
 *
 * @throws TypeError for an invalid handler or option.
 *
 * @example
 * export const handler = webhookHandler(secret, deliveryHandler({
 *   'message.received': async (delivery) => { … },
 * }, { store }))
 */
export function deliveryHandler<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Transaction = undefined,
>(
  handlers: DeliveryHandlers<Schemas, NoInfer<ExtraEvent>, NoInfer<Transaction>>,
  options: LambdaDeliveryHandlerOptions<ExtraEvent, Transaction> = {},
): (
  delivery: Delivery<Schemas, ExtraEvent>,
  exchange: Pick<LambdaExchange, 'context' | 'verification'>,
) => Promise<void> {
  // Uncalled, it gets what webhookHandler passes to a handler: a delivery and the exchange.
  assertCalled('deliveryHandler({ … })', options)
  const { deadlineMargin = 0.5, ...others } = options
  const margin = checkValue('deadlineMargin', deadlineMargin, MARGIN)
  if ('acknowledgeEarly' in others) {
    throw new TypeError(
      'There is no option "acknowledgeEarly" on Lambda: after the answer, Lambda freezes the process, and the handler with it. Send the delivery to a queue, such as SQS.',
    )
  }
  const handle = createDeliveryHandler<Schemas, ExtraEvent, Transaction>(handlers, others)
  return async function deliveryHandler(delivery, exchange) {
    // As a function of its own it gets an event and a context.
    requireAttached(exchange?.verification, { advice: ADVICE })
    await handle(delivery, timeLeft(exchange.context, margin))
  }
}

const ADVICE =
  'deliveryHandler was exported without webhookHandler, so nothing was verified. Write export const handler = ' +
  'webhookHandler(secret, deliveryHandler({ … })).'

/** In seconds. */
function timeLeft(context: LambdaContext | undefined, margin: number): number | undefined {
  const milliseconds = context?.getRemainingTimeInMillis?.()
  return milliseconds === undefined ? undefined : Math.max(milliseconds / 1000 - margin, 0)
}
