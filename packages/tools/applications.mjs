// One application for each adapter. A framework is loaded only where its application is made.
import { createServer } from 'node:http'
import { crc32 } from 'node:zlib'

export const PATH = '/webhooks'

/** The header of an answer that names the delivery that was handled, and the bytes that it came as. */
export const HANDLED = 'x-handled'

/**
 * Each makes a server for node:http. Its last handler is what `handler` makes of the adapter's exports, else one that
 * answers with HANDLED. `onError` is called with the errors that take the path of the framework. With `logs` the
 * framework logs as it does by default.
 */
export const applications = {
  async express(secret, options, { handler, onError, logs = false } = {}) {
    const { default: express } = await import('express')
    const adapter = await import('@webhook-receiver/express')
    const app = express()
    // The default error handler prints every error that it answers, except in this environment.
    if (!logs) app.set('env', 'test')
    const answer = (req, res) => res.set(HANDLED, handled(req)).sendStatus(200)
    app.post(PATH, adapter.webhookMiddleware(secret, options), handler?.(adapter) ?? answer)
    app.use((error, _req, _res, next) => {
      if (onError) onError(error)
      else if (!(error instanceof adapter.WebhookError)) console.error(error)
      next(error)
    })
    return createServer(app)
  },

  async fastify(secret, options, { handler, onError, logs = false } = {}) {
    const { default: Fastify } = await import('fastify')
    const adapter = await import('@webhook-receiver/fastify')
    const app = Fastify({ logger: logs, requestTimeout: 30_000 })
    if (onError) app.addHook('onError', async (_request, _reply, error) => onError(error))
    const answer = (request, reply) => reply.header(HANDLED, handled(request)).send('OK')
    app.register(async (scope) => {
      await scope.register(adapter.webhookPlugin, { secret, ...options })
      scope.post(PATH, handler?.(adapter) ?? answer)
    })
    await app.ready()
    return app.server
  },

  async hono(secret, options, { handler, onError } = {}) {
    const { Hono } = await import('hono')
    const { createAdaptorServer } = await import('@hono/node-server')
    const adapter = await import('@webhook-receiver/hono')
    const app = new Hono()
    if (onError) {
      app.use(async (c, next) => {
        await next()
        if (c.error) onError(c.error)
      })
    }
    const answer = (c) => c.text('OK', 200, { [HANDLED]: handled(c.var) })
    app.post(PATH, adapter.webhookMiddleware(secret, options), handler?.(adapter) ?? answer)
    return createAdaptorServer({ fetch: app.fetch })
  },

  async koa(secret, options, { handler, onError = printUnexpected, logs = false } = {}) {
    const { default: Koa } = await import('koa')
    const adapter = await import('@webhook-receiver/koa')
    const app = new Koa()
    app.on('error', onError)
    // Koa's own listener, which it leaves out where there is another.
    if (logs) app.on('error', app.onerror)
    const answer = (ctx) => {
      if (!ctx.state.delivery) return
      ctx.set(HANDLED, handled(ctx.state))
      ctx.body = 'OK'
    }
    app.use(adapter.webhookMiddleware(secret, { path: PATH, ...options }))
    app.use(handler?.(adapter) ?? answer)
    return createServer(app.callback())
  },

  async node(secret, options, { handler } = {}) {
    const adapter = await import('@webhook-receiver/node')
    const answer = (delivery, { res, verification }) => {
      res.setHeader(HANDLED, handled({ delivery, verification }))
      res.end('OK')
    }
    const settings = { path: PATH, ...options }
    return createServer(adapter.webhookListener(secret, handler?.(adapter) ?? answer, settings))
  },

  nestjs: (secret, options, given) => onNest('express', secret, options, given),

  'nestjs-fastify': (secret, options, given) => onNest('fastify', secret, options, given),
}

export const ADAPTERS = Object.keys(applications)

export function tokenOf(id, body) {
  return `${id} ${crc32(body)}`
}

/** Nest on one of its platforms. The methods with `@OnDelivery` are what `handler` gives to `deliveryHandler`. */
async function onNest(platform, secret, options, given = {}) {
  const { handler, onError = printUnexpected, logs = false } = given
  await import('reflect-metadata')
  const { Controller, Injectable, Module, Post, Req, Res } = await import('@nestjs/common')
  const { BaseExceptionFilter, NestFactory } = await import('@nestjs/core')
  const { OnDelivery, WebhookEndpoint, WebhookModule } = await import('@webhook-receiver/nestjs')
  const deliveryHandler = (methods, handling) => ({ methods, handling })
  const { methods = {}, handling } = handler?.({ deliveryHandler }) ?? {}

  class Handler {}
  Injectable()(Handler)
  for (const [event, work] of Object.entries(methods)) {
    const method = { value: work, configurable: true }
    Object.defineProperty(Handler.prototype, event, method)
    OnDelivery(event)(Handler.prototype, event, method)
  }
  class WebhooksController {
    receive(request, reply) {
      if (handler) return
      reply.header(HANDLED, handled(request)).status(200)
      return 'OK'
    }
  }
  const { prototype } = WebhooksController
  const receive = Object.getOwnPropertyDescriptor(prototype, 'receive')
  for (const decorator of [WebhookEndpoint(), Post(PATH)]) {
    decorator(prototype, 'receive', receive)
  }
  Req()(prototype, 'receive', 0)
  Res({ passthrough: true })(prototype, 'receive', 1)
  Controller()(WebhooksController)
  class AppModule {}
  Module({
    imports: [WebhookModule.forRoot({ secret, handling, ...options })],
    controllers: [WebhooksController],
    providers: [Handler],
  })(AppModule)

  class Filter extends BaseExceptionFilter {
    catch(error, host) {
      onError(error)
      super.catch(error, host)
    }
  }
  const app = await NestFactory.create(AppModule, await platformOf(platform), {
    abortOnError: false,
    // Its filter also prints that a client of another route is gone.
    ...(!logs && { logger: false }),
  })
  app.useGlobalFilters(new Filter(app.getHttpAdapter()))
  await app.init()
  await app.getHttpAdapter().getInstance().ready?.()
  return app.getHttpServer()
}

async function platformOf(platform) {
  if (platform === 'fastify') {
    const { FastifyAdapter } = await import('@nestjs/platform-fastify')
    return new FastifyAdapter({ requestTimeout: 30_000 })
  }
  const { ExpressAdapter } = await import('@nestjs/platform-express')
  return new ExpressAdapter()
}

/** What the application was given, in a form that a header takes. */
function handled({ delivery, verification }) {
  return tokenOf(delivery.id, verification.rawBody)
}

/** Neither a refusal nor that a client is gone, which Koa and Nest print by default. */
function printUnexpected(error) {
  const refusal = error.expose || error.status < 500
  if (!refusal && !/^(EPIPE|ECONNRESET|HPE_)/.test(error.code)) console.error(error)
}
