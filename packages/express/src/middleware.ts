import type { DeliverySchemas, ReceiverOptions, SchemeKind } from '@webhook-receiver/core'
import {
  attach,
  type ContractKind,
  FORWARD_ERRORS,
  type ForwardErrors,
  type MiddlewareForm,
  type NoSchemas,
  responseTo,
  type WebhookMiddlewareFor,
  webhookMiddlewareOf,
} from '@webhook-receiver/core/adapter'
import { incomingReceiver, respond } from '@webhook-receiver/node/adapter'
import type { Request, RequestHandler } from 'express'
import { EXPRESS } from './incoming.ts'

export interface WebhookMiddlewareOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Kind extends SchemeKind = ContractKind,
> extends ReceiverOptions<Schemas, ExtraEvent, Kind, Request>,
    ForwardErrors {}

/**
 * Verifies each request that reaches it, sets `req.delivery`, `req.verification` and `req.body`, and calls the next handler.
 * It responds to the requests that it rejects. Mount it on a route, a path or a router. What your own handler throws goes to
 * the error handling of Express, as on any route.
 *
 * @throws TypeError for an invalid secret or option.
 *
 * @example
 * app.post('/webhooks', webhookMiddleware(process.env.WEBHOOK_SECRET), (req, res) => {
 *   console.log(req.delivery.event)
 *   res.sendStatus(204)
 * })
 */
export const webhookMiddleware: WebhookMiddlewareFor<Request, Form, ForwardErrors & NoRequest> =
  /* @__PURE__ */ webhookMiddlewareOf<Request, Form, ForwardErrors>(
    EXPRESS,
    { forwardErrors: FORWARD_ERRORS },
    (receiver, { forwardErrors }) => {
      const receive = incomingReceiver(receiver, EXPRESS)
      return function webhookMiddleware(req, res, next) {
        receive(req, res, req).then(
          (received) => {
            if (!received) return
            try {
              attach(req, received, req)
            } catch (error) {
              return next(error)
            }
            // By this, the parsers of Express 4 know that the body was read.
            Reflect.set(req, '_body', true)
            next()
          },
          (error) => {
            const response = responseTo(error, forwardErrors)
            if (response) respond(res, response)
            else next(error)
          },
        )
      }
    },
  )

/** It takes any body, and what it leaves behind is the delivery. */
interface Form extends MiddlewareForm {
  readonly middleware: RequestHandler<Request['params'], unknown, this['delivery']>
}

/** Keeps the compiler from taking `app.post('/webhooks', webhookMiddleware)`. */
interface NoRequest {
  readonly method?: 'webhookMiddleware was not called: write webhookMiddleware(secret)'
}
