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
  checkValue,
  createWebhookHandling,
  type DuplicatesRequired,
  type ForwardErrors,
  type NoSchemas,
  responseTo,
  type WebhookHandlers,
} from '@webhook-receiver/core/adapter'
import { incomingReceiver, PATH } from '@webhook-receiver/node/adapter'
import type { Context, Middleware } from 'koa'
import { KOA } from './incoming.ts'
import { respond } from './response.ts'

export interface WebhookHandlerOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Transaction = undefined,
  Kind extends SchemeKind = ContractKind,
> extends WebhookOptions<Schemas, ExtraEvent, Transaction, Context, Kind>,
    ForwardErrors {
  /**
   * The path of the deliveries, for an application without a router: exactly `ctx.path`. Every other path goes to the next
   * middleware. Anything but a string that begins with a slash is a TypeError.
   * @default every path that reaches the handler
   */
  readonly path?: string | undefined
}

/**
 * Creates the handler of a webhook route. It verifies each request, runs the handler for the event (once for each delivery,
 * if there is a `store`) and responds: 204 when the work is done, 500 if a handler throws, 503 if the delivery cannot be
 * handled now.
 *
 * @throws TypeError for an invalid secret, handler or option.
 *
 * @example
 * router.post('/webhooks', webhookHandler(process.env.WEBHOOK_SECRET, {
 *   'message.received': async (delivery) => { … },
 * }, { store }))
 */
export function webhookHandler<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Transaction = undefined,
  Kind extends SchemeKind = ContractKind,
>(
  secret: SecretSource<Context>,
  handlers: WebhookHandlers<
    NoInfer<Schemas>,
    NoInfer<ExtraEvent>,
    WebhookContext<Context, NoInfer<Transaction>>,
    NoInfer<Kind>
  >,
  options?: WebhookHandlerOptions<Schemas, ExtraEvent, Transaction, Kind> &
    DuplicatesRequired<NoInfer<Kind>>,
): Middleware {
  assertCalled('webhookHandler(secret, handlers)', secret)
  const { receiver, handle, forwardErrors } = createWebhookHandling<
    Context,
    Schemas,
    ExtraEvent,
    Kind
  >(secret, handlers, options, { url: KOA.url, ownOptions: ['path', 'forwardErrors'] })
  const path = checkValue('path', options?.path, PATH)
  const receive = incomingReceiver(receiver, KOA)

  return async function webhookHandler(ctx, next) {
    if (path !== undefined && ctx.path !== path) return next()
    try {
      const received = await receive(ctx.req, ctx.res, ctx, () => {
        ctx.respond = false
      })
      if (!received) return
      respond(ctx, await handle(received, { request: ctx }))
    } catch (error) {
      const response = responseTo(error, forwardErrors)
      if (!response) throw error
      respond(ctx, response)
    }
  }
}
