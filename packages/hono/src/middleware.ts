import type { DeliverySchemas, ReceiverOptions, SchemeKind } from '@webhook-receiver/core'
import {
  type ContractKind,
  FORWARD_ERRORS,
  type ForwardErrors,
  type MiddlewareForm,
  type NoSchemas,
  type WebhookMiddlewareFor,
  webhookMiddlewareOf,
} from '@webhook-receiver/core/adapter'
import type { Context, MiddlewareHandler } from 'hono'
import type { WebhookVariables } from './attached.ts'
import { HONO, HonoIncoming } from './incoming.ts'
import { respondIncoming } from './response.ts'

export interface WebhookMiddlewareOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Kind extends SchemeKind = ContractKind,
> extends ReceiverOptions<Schemas, ExtraEvent, Kind, Context>,
    ForwardErrors {}

/**
 * Verifies each request that reaches it, sets `c.var.delivery` and `c.var.verification`, and calls the next handler.
 * `c.req.json()`, `c.req.raw` and the like still have the body after it. It responds to the requests that it rejects. What your own handler
 * throws goes to the error handling of Hono, as on any route.
 *
 * @throws TypeError for an invalid secret or option.
 *
 * @example
 * app.post('/webhooks', webhookMiddleware(process.env.WEBHOOK_SECRET), (c) => {
 *   console.log(c.var.delivery.event)
 *   return c.body(null, 204)
 * })
 */
export const webhookMiddleware: WebhookMiddlewareFor<Context, Form, ForwardErrors> =
  /* @__PURE__ */ webhookMiddlewareOf<Context, Form, ForwardErrors>(
    HONO,
    { forwardErrors: FORWARD_ERRORS },
    (receiver, { forwardErrors }) =>
      async function webhookMiddleware(c, next) {
        const incoming = new HonoIncoming(c)
        const received = await receiver
          .receive(incoming)
          .catch((error) => respondIncoming(incoming, error, receiver.limit, forwardErrors))
        if (!('delivery' in received)) return received
        incoming.restore(received.verification.rawBody)
        c.set('delivery', received.delivery)
        c.set('verification', received.verification)
        return next()
      },
  )

interface Form extends MiddlewareForm {
  readonly middleware: Providing<WebhookVariables<this['delivery']>>
}

type Providing<Variables extends object> = MiddlewareHandler<{ Variables: Variables }>
