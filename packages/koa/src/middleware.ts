import type {
  DeliverySchemas,
  Received,
  ReceiverOptions,
  SchemeKind,
  SecretSource,
} from '@webhook-receiver/core'
import {
  assertCalled,
  attach,
  type ContractKind,
  createReceiver,
  type DeliveryFor,
  type ForwardErrors,
  type NoSchemas,
  responseTo,
  splitForwardErrors,
} from '@webhook-receiver/core/adapter'
import { incomingReceiver } from '@webhook-receiver/node/adapter'
import type { Context, Middleware } from 'koa'
import type { WebhookState } from './attached.ts'
import { KOA } from './incoming.ts'
import { respond } from './response.ts'

export interface WebhookMiddlewareOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Kind extends SchemeKind = ContractKind,
> extends ReceiverOptions<Schemas, ExtraEvent, Kind, Context>,
    ForwardErrors {}

/**
 * Verifies each request that reaches it, sets `ctx.state.delivery` and `ctx.state.verification`, and calls the next
 * middleware. It responds to the requests that it rejects. Mount it on a route of `@koa/router`. What your own middleware
 * throws goes to the error handling of Koa, as on any route.
 *
 * @throws TypeError for an invalid secret or option.
 *
 * @example
 * router.post('/webhooks', webhookMiddleware(process.env.WEBHOOK_SECRET), (ctx) => {
 *   console.log(ctx.state.delivery.event)
 *   ctx.status = 204
 * })
 */
export function webhookMiddleware<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Kind extends SchemeKind = ContractKind,
>(
  secret: SecretSource<Context>,
  options: WebhookMiddlewareOptions<Schemas, ExtraEvent, Kind> = {},
): Middleware<WebhookState<DeliveryFor<Kind, Schemas, ExtraEvent>>> {
  assertCalled('webhookMiddleware(secret)', secret)
  const [forwardErrors, others] = splitForwardErrors(options)
  const receiver = createReceiver<Context, Schemas, ExtraEvent, Kind>(secret, others)
  const receive = incomingReceiver(receiver, KOA)

  return async function webhookMiddleware(ctx, next) {
    let received: Received<DeliveryFor<Kind, Schemas, ExtraEvent>> | undefined
    try {
      received = await receive(ctx.req, ctx.res, ctx, () => {
        ctx.respond = false
      })
    } catch (error) {
      const response = responseTo(error, forwardErrors)
      if (!response) throw error
      return respond(ctx, response)
    }
    if (!received) return
    attach(ctx.state, received)
    return next()
  }
}
