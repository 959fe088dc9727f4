import type { Delivery, DeliverySchemas, NoSchemas } from '@webhook-receiver/core/adapter'
import {
  createDeliveryHandler,
  type DeliveryHandlerOptions,
  type DeliveryHandlers,
  handlerFailed,
} from '@webhook-receiver/core/adapter'
import type { Request, RequestHandler } from 'express'
import { passError } from './error-path.ts'
import { requireDelivery } from './middleware.ts'

/**
 * The last handler of a webhook route. It runs the handler for the event of the delivery (only once, if there is a `store`)
 * and answers 204. If a handler throws, your error handler gets a WebhookError `handler_failed` (500) with the thrown value
 * as its `cause`. If the delivery cannot be handled now, it gets a WebhookError with status 503. Without an error handler,
 * this function answers.
 *
 * The types of the schemas are inferred from the middleware before it. If you pass them as a type argument instead,
 * `deliveryHandler<typeof schemas>`, nothing checks that: give the middleware the same `schemas`, or the content is unchecked.
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
): RequestHandler<Request['params'], unknown, Delivery<Schemas, ExtraEvent>> {
  const handle = createDeliveryHandler<Schemas, ExtraEvent, Transaction>(handlers, options)
  return async function deliveryHandler(req, res, next) {
    try {
      await handle(requireDelivery(req) as Delivery<Schemas, ExtraEvent>)
      res.status(204).end()
    } catch (error) {
      passError(handlerFailed(error), req, res, next)
    }
  }
}
