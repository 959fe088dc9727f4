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
    OwnOptions {}

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
export const webhookHandler: WebhookHandlerFor<Context, Middleware, OwnOptions> =
  /* @__PURE__ */ webhookHandlerOf<Context, Middleware, OwnOptions>(
    KOA,
    { path: PATH, forwardErrors: FORWARD_ERRORS },
    ({ receiver, handle }, { path, forwardErrors }) => {
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
    },
  )

interface OwnOptions extends ForwardErrors {
  /**
   * The path of the deliveries, for an application without a router: exactly `ctx.path`. Every other path goes to the next
   * middleware. Anything but a string that begins with a slash is a TypeError.
   * @default every path that reaches the handler
   */
  readonly path?: string | undefined
}
