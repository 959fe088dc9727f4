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
 * The last handler of a webhook's route: runs the handler of the delivery's event, once where there is a
 * `store`, and answers 204. What fails goes to your error handler as a WebhookError: `handler_failed` (500)
 * with what a handler threw as its `cause`, and 503 for the others. Without an error handler it is answered here.
 *
 * The schemas of the middleware in front are inferred. As a type argument, `deliveryHandler<typeof schemas>`, they
 * are a claim that neither the compiler nor the handler checks: give the middleware the same `schemas`, or the content is
 * whatever the sender wrote.
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
