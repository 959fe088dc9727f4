import type {
  DeliverySchemas,
  SchemeKind,
  SecretSource,
  WebhookContext,
  WebhookHandlerOptions as WebhookOptions,
} from '@webhook-receiver/core'
import {
  assertCalled,
  type ContractKind,
  createWebhookHandling,
  type DuplicatesRequired,
  type ForwardErrors,
  type NoSchemas,
  responseTo,
  type WebhookHandlers,
} from '@webhook-receiver/core/adapter'
import { incomingReceiver, respond } from '@webhook-receiver/node/adapter'
import type { Request, RequestHandler } from 'express'
import { EXPRESS } from './incoming.ts'

export interface WebhookHandlerOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Transaction = undefined,
  Kind extends SchemeKind = ContractKind,
> extends WebhookOptions<Schemas, ExtraEvent, Transaction, Request, Kind>,
    ForwardErrors {}

/**
 * Creates the handler of a webhook route. It verifies each request, runs the handler for the event (once for each delivery,
 * if there is a `store`) and responds: 204 when the work is done, 500 if a handler throws, 503 if the delivery cannot be
 * handled now.
 *
 * @throws TypeError for an invalid secret, handler or option.
 *
 * @example
 * app.post('/webhooks', webhookHandler(process.env.WEBHOOK_SECRET, {
 *   'message.received': async (delivery) => { … },
 * }, { store }))
 */
export function webhookHandler<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Transaction = undefined,
  Kind extends SchemeKind = ContractKind,
>(
  secret: SecretSource<Request>,
  handlers: WebhookHandlers<
    NoInfer<Schemas>,
    NoInfer<ExtraEvent>,
    WebhookContext<Request, NoInfer<Transaction>>,
    NoInfer<Kind>
  >,
  options?: WebhookHandlerOptions<Schemas, ExtraEvent, Transaction, Kind> &
    DuplicatesRequired<NoInfer<Kind>>,
): RequestHandler {
  assertCalled('webhookHandler(secret, handlers)', secret)
  const { receiver, handle, forwardErrors } = createWebhookHandling<
    Request,
    Schemas,
    ExtraEvent,
    Kind
  >(secret, handlers, options, { url: EXPRESS.url, ownOptions: ['forwardErrors'] })
  const receive = incomingReceiver(receiver, EXPRESS)

  return async function webhookHandler(req, res, next) {
    try {
      const received = await receive(req, res, req)
      if (!received) return
      respond(res, await handle(received, { request: req }))
    } catch (error) {
      const response = responseTo(error, forwardErrors)
      if (response) respond(res, response)
      else next(error)
    }
  }
}
