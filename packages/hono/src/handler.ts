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
import type { Context, Handler } from 'hono'
import { HonoIncoming, urlOf } from './incoming.ts'
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
export function webhookHandler<
  HonoContext extends Context = Context,
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Transaction = undefined,
  Kind extends SchemeKind = ContractKind,
>(
  secret: SecretSource<HonoContext>,
  handlers: WebhookHandlers<
    NoInfer<Schemas>,
    NoInfer<ExtraEvent>,
    WebhookContext<NoInfer<HonoContext>, NoInfer<Transaction>>,
    NoInfer<Kind>
  >,
  options?: WebhookHandlerOptions<Schemas, ExtraEvent, Transaction, NoInfer<HonoContext>, Kind> &
    DuplicatesRequired<NoInfer<Kind>>,
): Handler<HonoContext extends Context<infer Env> ? Env : never> {
  assertCalled('webhookHandler(secret, handlers)', secret)
  const { receiver, handle, forwardErrors } = createWebhookHandling<
    Context,
    Schemas,
    ExtraEvent,
    Kind
  >(
    // The application has the environment that its secret function names.
    secret as SecretSource<Context>,
    handlers,
    options,
    { url: urlOf, ownOptions: ['forwardErrors'] },
  )

  return async function webhookHandler(c: Context) {
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
  }
}
