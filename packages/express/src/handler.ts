import type {
  DeliverySchemas,
  SchemeKind,
  WebhookHandlerOptions as WebhookOptions,
} from '@webhook-receiver/core'
import {
  type ContractKind,
  FORWARD_ERRORS,
  type ForwardErrors,
  type NoSchemas,
  responseTo,
  type WebhookHandlerFor,
  webhookHandlerOf,
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
export const webhookHandler: WebhookHandlerFor<Request, RequestHandler, ForwardErrors> =
  /* @__PURE__ */ webhookHandlerOf<Request, RequestHandler, ForwardErrors>(
    EXPRESS,
    { forwardErrors: FORWARD_ERRORS },
    ({ receiver, handle }, { forwardErrors }) => {
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
    },
  )
