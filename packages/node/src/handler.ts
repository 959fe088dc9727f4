import {
  assertCalled,
  createDeliveryHandler,
  type Delivery,
  type DeliveryHandlerOptions,
  type DeliveryHandlers,
  type DeliverySchemas,
  type NoSchemas,
  requireAttached,
  WebhookError,
} from '@webhook-receiver/core/adapter'
import { refuse } from './answer.ts'
import type { ListenerExchange } from './listener.ts'

/**
 * The handler of a `webhookListener`. It runs the handler for the event of the delivery (only once, if there is a `store`).
 * The listener then answers 204, 500 if a handler throws, and 503 if the delivery cannot be handled now.
 *
 * @throws TypeError for an invalid handler or option.
 *
 * @example
 * createServer(webhookListener(secret, deliveryHandler({
 *   'message.received': async (delivery) => { … },
 * }, { store }))).listen(3000)
 */
export function deliveryHandler<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Transaction = undefined,
>(
  handlers: DeliveryHandlers<Schemas, NoInfer<ExtraEvent>, NoInfer<Transaction>>,
  options: DeliveryHandlerOptions<ExtraEvent, Transaction> = {},
): (delivery: Delivery<Schemas, ExtraEvent>, exchange: ListenerExchange) => Promise<void> {
  // Uncalled, it gets what the listener passes to a handler: a delivery and the exchange.
  assertCalled('deliveryHandler({ … })', options)
  const handle = createDeliveryHandler<Schemas, ExtraEvent, Transaction>(handlers, options)
  return async function deliveryHandler(delivery, exchange) {
    const { res, verification } = exchange
    try {
      // As a listener of its own it gets a request and a response.
      requireAttached(verification, { advice: ADVICE })
      await handle(delivery)
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      refuse(res ?? exchange, error)
    }
  }
}

const ADVICE =
  'deliveryHandler was mounted without webhookListener, so nothing was verified. Write webhookListener(secret, ' +
  'deliveryHandler({ … })).'
