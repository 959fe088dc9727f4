import type { DeliverySchemas, Received, ReceiverOptions, SchemeKind } from '@webhook-receiver/core'
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
 * Verifies each request that reaches it, sets `ctx.state.delivery`, `ctx.state.verification` and `ctx.request.body`, and calls the
 * next middleware. It responds to the requests that it rejects. Mount it on a route of `@koa/router`. What your own middleware
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
export const webhookMiddleware: WebhookMiddlewareFor<Context, Form, ForwardErrors> =
  /* @__PURE__ */ webhookMiddlewareOf<Context, Form, ForwardErrors>(
    KOA,
    { forwardErrors: FORWARD_ERRORS },
    (receiver, { forwardErrors }) => {
      const receive = incomingReceiver(receiver, KOA)
      return async function webhookMiddleware(ctx, next) {
        let received: Received<unknown> | undefined
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
        // By this, body parsers behind it know that the body was read. Where it cannot be set, nothing is lost.
        Reflect.set(ctx.request, 'body', ctx.state.delivery)
        return next()
      }
    },
  )

interface Form extends MiddlewareForm {
  readonly middleware: Middleware<WebhookState<this['delivery']>>
}
