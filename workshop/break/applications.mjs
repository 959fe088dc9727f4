// One application for each adapter. A framework is loaded only where its application is made.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { crc32 } from 'node:zlib'

export const PATH = '/webhooks'

/** The header of a response that names the delivery that was handled, and the bytes that it came as. */
export const HANDLED = 'x-handled'

/**
 * Each makes a server for node:http: with `handlers` by the handler form, else by the middleware form with a handler that
 * responds with HANDLED. `onError` is called with the errors that take the path of the framework. With `logs` the framework
 * logs as it does by default.
 *
 * @type {Readonly<Record<string, (secret: string, options: import('@webhook-receiver/core').ReceiverOptions, more?: { handlers?: object, onError?: (error: unknown) => unknown, logs?: boolean }) => Promise<import('node:http').Server>>>}
 */
export const applications = {
  async express(secret, options, { handlers, onError, logs = false } = {}) {
    const { default: express } = await import('express')
    const adapter = await import('@webhook-receiver/express')
    const app = express()
    // The default error handler prints every error, except in this environment.
    if (!logs) app.set('env', 'test')
    if (handlers) app.post(PATH, adapter.webhookHandler(secret, handlers, options))
    else
      app.post(PATH, adapter.webhookMiddleware(secret, options), (req, res) => {
        res.set(HANDLED, handled(req)).sendStatus(200)
      })
    app.use((error, _req, _res, next) => {
      if (onError) onError(error)
      else console.error(error)
      next(error)
    })
    return createServer(app)
  },

  async fastify(secret, options, { handlers, onError, logs = false } = {}) {
    const { default: Fastify } = await import('fastify')
    const adapter = await import('@webhook-receiver/fastify')
    const app = Fastify({ logger: logs, requestTimeout: 30_000 })
    if (onError) app.addHook('onError', async (_request, _reply, error) => onError(error))
    if (handlers) app.register(adapter.webhookHandler(secret, handlers, { url: PATH, ...options }))
    else
      app.register(async (scope) => {
        await scope.register(adapter.webhookMiddleware(secret, options))
        scope.post(PATH, (request, reply) => reply.header(HANDLED, handled(request)).send('OK'))
      })
    await app.ready()
    return app.server
  },

  async hono(secret, options, { handlers, onError } = {}) {
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
    if (handlers) app.post(PATH, adapter.webhookHandler(secret, handlers, options))
    else
      app.post(PATH, adapter.webhookMiddleware(secret, options), (c) =>
        c.text('OK', 200, { [HANDLED]: handled(c.var) }),
      )
    return createAdaptorServer({ fetch: app.fetch })
  },

  async koa(secret, options, { handlers, onError = printUnexpected, logs = false } = {}) {
    const { default: Koa } = await import('koa')
    const adapter = await import('@webhook-receiver/koa')
    const app = new Koa()
    app.on('error', onError)
    // Koa's own listener, which it leaves out where there is another.
    if (logs) app.on('error', app.onerror)
    if (handlers) app.use(adapter.webhookHandler(secret, handlers, { path: PATH, ...options }))
    else {
      const guard = adapter.webhookMiddleware(secret, options)
      const respond = (ctx) => {
        ctx.set(HANDLED, handled(ctx.state))
        ctx.body = 'OK'
      }
      // Without a router: that of Koa throws for a target that is not a URL.
      app.use((ctx) => (pathOf(ctx) === PATH ? guard(ctx, () => respond(ctx)) : undefined))
    }
    return createServer(app.callback())
  },

  async node(secret, options, { handlers } = {}) {
    const { webhookHandler } = await import('@webhook-receiver/node')
    const responses = new WeakMap()
    const show = (delivery, { request, verification }) =>
      responses.get(request).setHeader(HANDLED, handled({ delivery, verification }))
    const listener = webhookHandler(secret, handlers ?? show, { path: PATH, ...options })
    return createServer((req, res) => {
      responses.set(req, res)
      return listener(req, res)
    })
  },

  nestjs: (secret, options, given) => onNest('express', secret, options, given),

  'nestjs-fastify': (secret, options, given) => onNest('fastify', secret, options, given),
}

export const ADAPTERS = Object.keys(applications)

/** Lets the server of a program listen, and says where. */
export async function listen(server) {
  server.listen(Number(process.env.PORT), '127.0.0.1')
  await once(server, 'listening')
  console.error(`Listening on http://localhost:${server.address().port}${PATH}`)
}

export function tokenOf(id, body) {
  return `${id} ${crc32(body)}`
}

/** Nest on one of its platforms. The methods with `@OnDelivery` are the handlers. */
async function onNest(platform, secret, options, given = {}) {
  const { handlers, onError = printUnexpected, logs = false } = given
  await import('reflect-metadata')
  const { Controller, Injectable, Module, Post, Req, Res } = await import('@nestjs/common')
  const { BaseExceptionFilter, NestFactory } = await import('@nestjs/core')
  const { OnDelivery, WebhookEndpoint, WebhookModule } = await import('@webhook-receiver/nestjs')

  class Handler {}
  Injectable()(Handler)
  for (const [event, work] of Object.entries(handlers ?? {})) {
    const method = { value: work, configurable: true }
    Object.defineProperty(Handler.prototype, event, method)
    OnDelivery(event)(Handler.prototype, event, method)
  }
  class WebhooksController {
    receive(request, reply) {
      if (handlers) return
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

/** The path that Koa reads; `undefined` if the target is not a URL. */
function pathOf(ctx) {
  try {
    return ctx.path
  } catch {
    return undefined
  }
}

/** What the application was given, in a form that a header takes. */
function handled({ delivery, verification }) {
  return tokenOf(delivery.id, verification.rawBody)
}

/** Neither a rejection nor that a client is gone, which Koa and Nest print by default. */
function printUnexpected(error) {
  const rejection = error.expose || error.status < 500
  if (!rejection && !/^(EPIPE|ECONNRESET|HPE_)/.test(error.code)) console.error(error)
}
