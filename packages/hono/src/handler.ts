import type {
  DeliverySchemas,
  SchemeKind,
  WebhookHandlerOptions as WebhookOptions,
} from '@webhook-receiver/core'
import {
  type ContractKind,
  FORWARD_ERRORS,
  type ForwardErrors,
  type HandlerForm,
  type NoSchemas,
  responseTo,
  type TypedWebhookHandlerFor,
  typedWebhookHandlerOf,
} from '@webhook-receiver/core/adapter'
import type { Context, Handler } from 'hono'
import { HONO, HonoIncoming } from './incoming.ts'
import { respond, respondIncoming } from './response.ts'

export interface WebhookHandlerOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Transaction = undefined,
  HonoContext extends Context = Context,
  Kind extends SchemeKind = ContractKind,
> extends WebhookOptions<Schemas, ExtraEvent, Transaction, HonoContext, Kind>,
    ForwardErrors {}

/**
 * Creates the handler of a webhook route. It verifies each request, runs the handler for the event (once for each delivery,
 * if there is a `store`) and responds: 204 when the work is done, 500 if a handler throws, 503 if the delivery cannot be
 * handled now.
 *
 * Annotate the context of a secret function, `(c: Context<{ Bindings: Env }>) => c.env.SECRET`, and handlers get that type.
 *
 * @throws TypeError for an invalid secret, handler or option.
 *
 * @example
 * app.post('/webhooks', webhookHandler(process.env.WEBHOOK_SECRET, {
 *   'message.received': async (delivery) => { … },
 * }, { store }))
 */
export const webhookHandler: TypedWebhookHandlerFor<Form, ForwardErrors> =
  /* @__PURE__ */ typedWebhookHandlerOf<Form, ForwardErrors>(
    HONO,
    { forwardErrors: FORWARD_ERRORS },
    ({ receiver, handle }, { forwardErrors }) =>
      async function webhookHandler(c) {
        const incoming = new HonoIncoming(c)
        const received = await receiver
          .receive(incoming)
          .catch((error) => respondIncoming(incoming, error, receiver.limit, forwardErrors))
        if (!('delivery' in received)) return received
        incoming.restore(received.verification.rawBody)
        try {
          return respond(c, await handle(received, { request: c }))
        } catch (error) {
          const response = responseTo(error, forwardErrors)
          if (!response) throw error
          return respond(c, response)
        }
      },
  )

interface Form extends HandlerForm {
  readonly request: Context
  readonly handler: Handler<this['request'] extends Context<infer Env> ? Env : never>
}
