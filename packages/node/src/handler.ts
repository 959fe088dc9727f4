import {
  assertCalled,
  createDeliveryHandler,
  type Delivery,
  type DeliveryHandlerOptions,
  type DeliveryHandlers,
  type DeliverySchemas,
  type NoSchemas,
  WebhookError,
} from '@webhook-receiver/core/adapter'
import { refuse } from './answer.ts'
import type { ListenerExchange } from './listener.ts'

/**
 * The handler of a `webhookListener`: runs the handler of the delivery's event, once where there is a
 * `store`. What the library refuses is answered here; what a handler throws is the listener's to answer.
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
  return async function deliveryHandler(delivery, { res }) {
    try {
      await handle(delivery)
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      refuse(res, error)
    }
  }
}
