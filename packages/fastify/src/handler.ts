import type { Delivery, DeliverySchemas, NoSchemas } from '@webhook-receiver/core/adapter'
import {
  createDeliveryHandler,
  type DeliveryHandlerOptions,
  type DeliveryHandlers,
  handlerFailed,
} from '@webhook-receiver/core/adapter'
import type {
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteHandlerMethod,
} from 'fastify'
import { requireDelivery, type WebhookRoute } from './plugin.ts'

/**
 * The handler of a webhook's route: runs the handler of the delivery's event, once where there is a `store`,
 * and answers 204. What fails goes to the scope's error handler as a WebhookError: `handler_failed` (500) with
 * what a handler threw as its `cause`, and 503 for the others.
 *
 * `deliveryHandler<typeof schemas>` is a claim that neither the compiler nor the handler checks, as
 * `WebhookRoute<typeof schemas>` is: give the plugin the same `schemas`, or the content is whatever the sender wrote.
 *
 * @throws TypeError for an invalid handler or option.
 *
 * @example
 * scope.post('/webhooks', deliveryHandler({
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
): RouteHandlerMethod<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  WebhookRoute<Schemas, ExtraEvent>
> {
  const handle = createDeliveryHandler<Schemas, ExtraEvent, Transaction>(handlers, options)
  return async function deliveryHandler(request, reply) {
    try {
      await handle(requireDelivery(request) as Delivery<Schemas, ExtraEvent>)
    } catch (thrown) {
      throw handlerFailed(thrown)
    }
    return reply.code(204).send()
  }
}
