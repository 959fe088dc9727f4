import {
  type Attached,
  type AttachedVerification,
  attach,
  createReceiver,
  type Delivery,
  type DeliverySchemas,
  type NoSchemas,
  type ReceiverOptions,
  type RequiredDelivery,
  requireAttached,
  type SecretSource,
} from '@webhook-receiver/core/adapter'
import { type Framework, incomingReceiver } from '@webhook-receiver/node'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { guardRouteOf, guardRoutes } from './handler-guard.ts'

export interface WebhookPluginOptions extends ReceiverOptions<DeliverySchemas, string> {
  /** One secret, several by name, or a function of the request. */
  readonly secret: SecretSource<FastifyRequest>
}

/**
 * The type of `request.delivery` and `request.body`: `app.post<WebhookRoute<typeof schemas>>(…)`. The compiler cannot see
 * whether the plugin has these schemas, and only the plugin checks the content.
 */
export interface WebhookRoute<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> {
  readonly Body: Delivery<Schemas, ExtraEvent>
}

const webhook: FastifyPluginAsync<WebhookPluginOptions> = async (instance, options) => {
  if (typeof instance?.addHook !== 'function') {
    throw new TypeError(
      'webhookPlugin was called, or used as a hook or a handler. Write app.register(webhookPlugin, { secret }).',
    )
  }
  const { secret, ...receiverOptions } = ownOptions(options)
  const receive = incomingReceiver(createReceiver(secret, receiverOptions), FASTIFY)
  for (const name of ['delivery', 'verification']) {
    if (!instance.hasRequestDecorator(name)) instance.decorateRequest(name, undefined)
  }

  guardRoutes(instance)
  instance.addHook('preParsing', (request, reply, _payload, done) => {
    receive(request.raw, reply.raw, request, () => reply.hijack()).then((received) => {
      if (!received) return
      attach(request, received)
      guardRouteOf(request)
      // What was verified is JSON. Fastify answers 415 to a media type that it cannot read, before any parser.
      request.headers['content-type'] = 'application/json'
      done()
    }, done)
  })

  replaceParsers(instance)
  instance.addHook('onRegister', replaceParsers)
}

/**
 * Makes the delivery the body, in place of every parser of the scope. The hook has read the stream, so any
 * other parser would wait for it without end: also one that is added later, which is why this waits for the
 * start of the application.
 */
function replaceParsers(scope: FastifyInstance): void {
  scope.addHook('onReady', async () => {
    scope.removeAllContentTypeParsers()
    // By its name as well, because Fastify looks up the one for all the others again for each request.
    scope.addContentTypeParser(['application/json', '*'], (request, _stream, done) =>
      done(null, request.delivery),
    )
  })
}

const FASTIFY: Framework<FastifyRequest> = {
  holder: (request) => request,
  address: (request) => request.ip,
  advice:
    'Register webhookPlugin in a separate scope, without another plugin that reads bodies in a preParsing hook.',
}

/** What `register` adds for itself is not an option of the receiver. */
function ownOptions(options: WebhookPluginOptions): WebhookPluginOptions {
  const own = Object.entries(options).filter(
    ([name]) => !['prefix', 'logLevel', 'logSerializers'].includes(name),
  )
  return { secret: options.secret, ...Object.fromEntries(own) }
}

/**
 * Verifies every request to its scope, and sets `request.delivery`, `request.verification` and `request.body`. The error
 * handler of the scope gets a WebhookError for each rejected request, and one with the reason `handler_failed` (500) if the
 * handler of a route throws. Give the webhook routes a scope of their own: when the application starts, every content type
 * parser in it is replaced. Other scopes keep their parsers.
 *
 * @throws TypeError, when the application starts, for an invalid secret or option.
 *
 * @example
 * app.register(async (scope) => {
 *   await scope.register(webhookPlugin, { secret: process.env.WEBHOOK_SECRET })
 *   scope.post<WebhookRoute>('/webhooks', async (request) => {
 *     console.log(request.delivery.event)
 *   })
 * })
 */
export const webhookPlugin: FastifyPluginAsync<WebhookPluginOptions> = fastifyPlugin(webhook, {
  name: '@webhook-receiver/fastify',
  fastify: '>=4.23',
})

/**
 * Returns the delivery of a request, for handlers in whose types it may be `undefined`.
 *
 * @throws WebhookError `delivery_missing` (500) if no webhookPlugin protects the route.
 */
export function requireDelivery<Attached>(request: {
  readonly delivery?: Attached
  readonly method?: string
  readonly url?: string
}): RequiredDelivery<Attached> {
  return requireAttached(request.delivery, { method: request.method, url: request.url })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The delivery, verified and parsed; `undefined` if no webhookPlugin protects the route. */
    readonly delivery: Attached<this>
    /** How the delivery was verified; `undefined` if `delivery` is. */
    readonly verification: AttachedVerification<this>
  }
}
