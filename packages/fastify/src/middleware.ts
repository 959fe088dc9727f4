import type { DeliverySchemas, ReceiverOptions, SchemeKind } from '@webhook-receiver/core'
import {
  assertCalled,
  type ContractKind,
  FORWARD_ERRORS,
  type ForwardErrors,
  type MiddlewareForm,
  type NoSchemas,
  type WebhookMiddlewareFor,
  webhookMiddlewareOf,
} from '@webhook-receiver/core/adapter'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { fastifyPlugin } from 'fastify-plugin'
import { protectScope } from './scope.ts'

export interface WebhookMiddlewareOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Kind extends SchemeKind = ContractKind,
> extends ReceiverOptions<Schemas, ExtraEvent, Kind, FastifyRequest>,
    ForwardErrors {}

/**
 * Creates a plugin that verifies every request to its scope, and sets `request.delivery`, `request.verification` and
 * `request.body`. It responds to the requests that it rejects. Give the webhook routes a scope of their own: when the application
 * starts, every content type parser in it is replaced. Other scopes keep their parsers. What your own handler throws goes to
 * the error handling of Fastify, as on any route.
 *
 * @throws TypeError for an invalid secret or option.
 *
 * @example
 * app.register(async (scope) => {
 *   await scope.register(webhookMiddleware(process.env.WEBHOOK_SECRET))
 *   scope.post<WebhookRoute>('/webhooks', async (request, reply) => {
 *     console.log(request.delivery.event)
 *     return reply.code(204).send()
 *   })
 * })
 */
export const webhookMiddleware: WebhookMiddlewareFor<FastifyRequest, Form, ForwardErrors> =
  /* @__PURE__ */ webhookMiddlewareOf<FastifyRequest, Form, ForwardErrors>(
    { uncalled: uncalledPlugin },
    { forwardErrors: FORWARD_ERRORS },
    (receiver, { forwardErrors }) =>
      fastifyPlugin(async (scope) => protectScope(scope, receiver, forwardErrors), {
        name: '@webhook-receiver/fastify',
        fastify: '>=4.23',
      }),
  )

interface Form extends MiddlewareForm {
  readonly middleware: FastifyPluginAsync
}

/**
 * Looks for a factory that was registered without being called: Fastify then passes the application where the secret belongs.
 * What a plugin throws at once ends the process, so this one rejects, and `ready()` and `listen()` with it.
 *
 * @throws TypeError if it was used as a hook or a handler without being called.
 */
export function uncalledPlugin(call: string, secret: unknown): FastifyPluginAsync | undefined {
  assertCalled(call, secret)
  if (typeof Object(secret).addHook !== 'function') return undefined
  const name = call.replace(/\(.*/s, '')
  const error = new TypeError(
    `${name} was registered without being called: write app.register(${call}).`,
  )
  // Here the factory is the plugin, so this is what Fastify waits for.
  return Promise.reject(error) as never
}
