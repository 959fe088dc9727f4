import type { Delivery, DeliverySchemas, NoSchemas } from '@webhook-receiver/core/adapter'
import {
  createDeliveryHandler,
  type DeliveryHandlerOptions,
  type DeliveryHandlers,
} from '@webhook-receiver/core/adapter'
import type { Middleware } from 'koa'
import { toHandlerError } from './handler-failure.ts'
import { requireDelivery, type WebhookState } from './middleware.ts'

/**
 * The last middleware of a webhook route. It runs the handler for the event of the delivery (only once, if there is a
 * `store`) and answers 204. If a handler throws, it throws a WebhookError `handler_failed` (500) with the thrown value as
 * its `cause`. If the delivery cannot be handled now, it throws a WebhookError with status 503.
 *
 * Nothing checks the type argument of `deliveryHandler<typeof schemas>`: give the middleware before it the same `schemas`,
 * or the content is unchecked.
 *
 * @throws TypeError for an invalid handler or option.
 *
 * @example
 * router.post('/webhooks', webhookMiddleware(secret), deliveryHandler({
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
): Middleware<WebhookState<Delivery<Schemas, ExtraEvent>>> {
  const handle = createDeliveryHandler<Schemas, ExtraEvent, Transaction>(handlers, options)
  return async function deliveryHandler(ctx) {
    try {
      await handle(requireDelivery(ctx) as Delivery<Schemas, ExtraEvent>)
    } catch (thrown) {
      throw toHandlerError(ctx, thrown)
    }
    ctx.status = 204
  }
}
