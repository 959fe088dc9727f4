import type { Delivery, DeliverySchemas, NoSchemas } from '@webhook-receiver/core/adapter'
import {
  createDeliveryHandler,
  type DeliveryHandlerOptions,
  type DeliveryHandlers,
} from '@webhook-receiver/core/adapter'
import type { Handler } from 'hono'
import { toHandlerError } from './handler-failure.ts'
import { requireDelivery, type WebhookVariables } from './middleware.ts'

/**
 * The last handler of a webhook's route: runs the handler of the delivery's event, once where there is a
 * `store`, and answers 204. What fails is thrown as a WebhookError: `handler_failed` (500) with what a handler
 * threw as its `cause`, and 503 for the others.
 *
 * `deliveryHandler<typeof schemas>` is a claim that neither the compiler nor the handler checks: give the
 * middleware in front the same `schemas`, or the content is whatever the sender wrote.
 *
 * @throws TypeError for an invalid handler or option.
 *
 * @example
 * app.post('/webhooks', webhookMiddleware(secret), deliveryHandler({
 *   'message.received': async (delivery) => { … },
 * }, { store }))
 */
export function deliveryHandler<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Transaction = undefined,
>(
  handlers: DeliveryHandlers<Schemas, NoInfer<ExtraEvent>, NoInfer<Transaction>>,
  options: DeliveryHandlerOptions<ExtraEvent, Transaction> = {},
): Handler<{ Variables: WebhookVariables<Delivery<Schemas, ExtraEvent>> }> {
  const handle = createDeliveryHandler<Schemas, ExtraEvent, Transaction>(handlers, options)
  return async function deliveryHandler(c) {
    try {
      await handle(requireDelivery(c) as Delivery<Schemas, ExtraEvent>)
    } catch (thrown) {
      throw toHandlerError(thrown)
    }
    return c.body(null, 204)
  }
}
