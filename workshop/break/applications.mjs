// One application for each adapter, by its handler form. A framework is loaded only where its application is made.
import { once } from 'node:events'
import { createServer } from 'node:http'

const PATH = '/webhooks'

/**
 * Each makes a server for node:http. `onError` is called with the errors that take the path of the framework. With `logs` the framework
 * logs as it does by default.
 *
 * @type {Readonly<Record<string, (secret: string, options: import('@webhook-receiver/core').ReceiverOptions, more?: { handlers?: object, onError?: (error: unknown) => unknown, logs?: boolean }) => Promise<import('node:http').Server>>>}
 */
export const applications = {
  async express(secret, options, { handlers = ANY, onError = console.error, logs = false } = {}) {
    const { default: express } = await import('express')
    const { webhookHandler } = await import('@webhook-receiver/express')
    const app = express()
    // The default error handler prints every error, except in this environment.
    if (!logs) app.set('env', 'test')
    app.post(PATH, webhookHandler(secret, handlers, options))
    app.use((error, _req, _res, next) => {
      onError(error)
      next(error)
    })
    return createServer(app)
  },

  async fastify(secret, options, { handlers = ANY, onError, logs = false } = {}) {
    const { default: Fastify } = await import('fastify')
    const { webhookHandler } = await import('@webhook-receiver/fastify')
    const app = Fastify({ logger: logs, requestTimeout: 30_000 })
    if (onError) app.addHook('onError', async (_request, _reply, error) => onError(error))
    app.register(webhookHandler(secret, handlers, { url: PATH, ...options }))
    await app.ready()
    return app.server
  },

  async hono(secret, options, { handlers = ANY, onError } = {}) {
    const { Hono } = await import('hono')
    const { createAdaptorServer } = await import('@hono/node-server')
    const { webhookHandler } = await import('@webhook-receiver/hono')
    const app = new Hono()
    if (onError) {
      app.use(async (c, next) => {
        await next()
        if (c.error) onError(c.error)
      })
    }
    app.post(PATH, webhookHandler(secret, handlers, options))
    return createAdaptorServer({ fetch: app.fetch })
  },

  async koa(secret, options, { handlers = ANY, onError = printUnexpected, logs = false } = {}) {
    const { default: Koa } = await import('koa')
    const { webhookHandler } = await import('@webhook-receiver/koa')
    const app = new Koa()
    app.on('error', onError)
    // Koa's own listener, which it leaves out where there is another.
    if (logs) app.on('error', app.onerror)
    app.use(webhookHandler(secret, handlers, { path: PATH, ...options }))
    return createServer(app.callback())
  },

  async node(secret, options, { handlers = ANY } = {}) {
    const { webhookHandler } = await import('@webhook-receiver/node')
    return createServer(webhookHandler(secret, handlers, { path: PATH, ...options }))
  },

  nestjs: (secret, options, given) => onNest('express', secret, options, given),

  'nestjs-fastify': (secret, options, given) => onNest('fastify', secret, options, given),
}

const ANY = { any() {} }

export const ADAPTERS = Object.keys(applications)

/** Lets the server of a program listen, and says where. */
export async function listen(server) {
  server.listen(Number(process.env.PORT), '127.0.0.1')
  await once(server, 'listening')
  console.error(`Listening on http://localhost:${server.address().port}${PATH}`)
}

/** Nest on one of its platforms. The methods with `@OnDelivery` are the handlers. */
async function onNest(platform, secret, options, given = {}) {
  const { handlers = ANY, onError = printUnexpected, logs = false } = given
  await import('reflect-metadata')
  const { Controller, Injectable, Module, Post } = await import('@nestjs/common')
  const { BaseExceptionFilter, NestFactory } = await import('@nestjs/core')
  const { OnDelivery, WebhookEndpoint, WebhookModule } = await import('@webhook-receiver/nestjs')

  class Handler {}
  Injectable()(Handler)
  for (const [event, work] of Object.entries(handlers)) {
    // What a decorator notes, it notes on the function.
    const method = { value: (...given) => work(...given), configurable: true }
    Object.defineProperty(Handler.prototype, event, method)
    OnDelivery(event)(Handler.prototype, event, method)
  }
  class WebhooksController {
    receive() {}
  }
  const { prototype } = WebhooksController
  const receive = Object.getOwnPropertyDescriptor(prototype, 'receive')
  for (const decorator of [WebhookEndpoint(), Post(PATH)]) {
    decorator(prototype, 'receive', receive)
  }
  Controller()(WebhooksController)
  class AppModule {}
  Module({
    imports: [WebhookModule.forRoot({ secret, ...options })],
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

/** Neither a rejection nor that a client is gone, which Koa and Nest print by default. */
function printUnexpected(error) {
  const rejection = error.expose || error.status < 500
  if (!rejection && !/^(EPIPE|ECONNRESET|HPE_)/.test(error.code)) console.error(error)
}
