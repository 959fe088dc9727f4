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
 * The handler of a webhook route. It runs the handler for the event of the delivery (only once, if there is a `store`) and
 * answers 204. If a handler throws, the error handler of the scope gets a WebhookError `handler_failed` (500) with the thrown
 * value as its `cause`. If the delivery cannot be handled now, it gets a WebhookError with status 503.
 *
 * Nothing checks the type argument of `deliveryHandler<typeof schemas>` or `WebhookRoute<typeof schemas>`: give the plugin
 * the same `schemas`, or the content is unchecked.
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
