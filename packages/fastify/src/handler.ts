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
  stringRule,
  type WebhookHandlerFor,
  webhookHandlerOf,
} from '@webhook-receiver/core/adapter'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { logFailure } from './log.ts'
import { uncalledPlugin } from './middleware.ts'
import { respond } from './response.ts'
import { protectScope } from './scope.ts'

export interface WebhookHandlerOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Transaction = undefined,
  Kind extends SchemeKind = ContractKind,
> extends WebhookOptions<Schemas, ExtraEvent, Transaction, FastifyRequest, Kind>,
    OwnOptions {}

const URL = stringRule("the URL of the route, such as '/webhooks'", /^\//)

/**
 * Creates a plugin with one webhook route in a scope of its own. The route verifies each request, runs the handler for the event
 * (once for each delivery, if there is a `store`) and responds: 204 when the work is done, 500 if a handler throws, 503 if the
 * delivery cannot be handled now. An error of a handler goes to the logger of Fastify, unless there is `onError`.
 *
 * @throws TypeError for an invalid secret, handler or option.
 *
 * @example
 * app.register(webhookHandler(process.env.WEBHOOK_SECRET, {
 *   'message.received': async (delivery) => { … },
 * }, { url: '/webhooks', store }))
 */
export const webhookHandler: WebhookHandlerFor<FastifyRequest, FastifyPluginAsync, OwnOptions> =
  /* @__PURE__ */ webhookHandlerOf<FastifyRequest, FastifyPluginAsync, OwnOptions>(
    {
      url: (request) => request.originalUrl,
      report: logFailure,
      call: "webhookHandler(secret, handlers, { url: '/webhooks' })",
      uncalled: uncalledPlugin,
    },
    { url: URL, forwardErrors: FORWARD_ERRORS },
    ({ receiver, handle }, { url, forwardErrors }) =>
      async function webhookHandler(scope) {
        protectScope(scope, receiver, forwardErrors)
        const method = [...receiver.methods]
        scope.route({ method, url, exposeHeadRoute: false, handler })

        // Not an async function: Fastify would wait for another promise of each request.
        function handler(request: FastifyRequest, reply: FastifyReply): void {
          // Only the handler gets the delivery: after a slow upload, a request is collected late, with all that it holds.
          request.body = undefined
          // Takes out of the request what the hook of the scope has attached.
          handle(request as never, { request }).then(
            (response) => respond(reply, response),
            (error: unknown) => {
              const response = responseTo(error, forwardErrors)
              if (response) respond(reply, response)
              else reply.send(error)
            },
          )
        }
      },
  )

interface OwnOptions extends ForwardErrors {
  /** The URL of the route, such as '/webhooks'. Anything but a string that begins with a slash is a TypeError. */
  readonly url: string
}
