// One application for each adapter, by its handler form. A framework is loaded only where its application is made.
import { once } from 'node:events'
import { createServer } from 'node:http'

const PATH = '/webhooks'
const ANY = { any() {} }

/** What `verify` reads. */
const JSON_TYPE = 'application/json'
const LIMIT = '1mb'

/**
 * How an application on each framework is written. `serve` makes a server of node:http with one of three at PATH: what `handler` makes with the
 * framework's own options, `middleware()` in front of a 204, or `verify`, which gets the bytes and a look-up of headers, without a name of all. `onError` is called with the
 * errors that take the path of the framework. With `logs` the framework logs as it does by default.
 */
export const FRAMEWORKS = {
  express: {
    load: () => import('@webhook-receiver/express'),
    async serve({ handler, middleware, verify }, { onError, logs }) {
      const { default: express } = await import('express')
      const app = express()
      // The default error handler prints every error, except in this environment.
      if (!logs) app.set('env', 'test')
      if (handler) app.post(PATH, handler())
      if (middleware) app.post(PATH, middleware(), (_req, res) => res.status(204).end())
      if (verify)
        app.post(PATH, express.raw({ type: JSON_TYPE, limit: LIMIT }), ({ body, headers }, res) =>
          verify(body, from(headers), (status) => res.status(status).end()),
        )
      if (onError)
        app.use((error, _req, _res, next) => {
          onError(error)
          next(error)
        })
      return createServer(app)
    },
  },

  fastify: {
    load: () => import('@webhook-receiver/fastify'),
    async serve({ handler, middleware, verify }, { onError, logs }) {
      const { default: Fastify } = await import('fastify')
      const app = Fastify({ logger: logs, requestTimeout: 30_000 })
      if (onError) app.addHook('onError', async (_request, _reply, error) => onError(error))
      if (handler) app.register(handler({ url: PATH }))
      else
        app.register(async (scope) => {
          if (middleware) {
            await scope.register(middleware())
            scope.post(PATH, (_request, reply) => reply.code(204).send())
            return
          }
          const keepBytes = (_request, body, done) => done(null, body)
          scope.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, keepBytes)
          scope.post(PATH, ({ headers, body }, reply) => {
            verify(body, from(headers), (status) => reply.code(status).send())
          })
        })
      await app.ready()
      return app.server
    },
  },

  hono: {
    load: () => import('@webhook-receiver/hono'),
    async serve({ handler, middleware, verify }, { onError }) {
      const { Hono } = await import('hono')
      const { createAdaptorServer } = await import('@hono/node-server')
      const app = new Hono()
      if (onError) {
        app.use(async (c, next) => {
          await next()
          if (c.error) onError(c.error)
        })
      }
      if (handler) app.post(PATH, handler())
      if (middleware) app.post(PATH, middleware(), (c) => c.body(null, 204))
      if (verify)
        app.post(PATH, async (c) => {
          const body = Buffer.from(await c.req.arrayBuffer())
          return verify(
            body,
            (name) => c.req.header(name),
            (status) => c.body(null, status),
          )
        })
      return createAdaptorServer({ fetch: app.fetch })
    },
  },

  koa: {
    load: () => import('@webhook-receiver/koa'),
    async serve({ handler, middleware, verify }, { onError, logs }) {
      const { default: Koa } = await import('koa')
      const { default: Router } = await import('@koa/router')
      const { default: rawBody } = await import('raw-body')
      const app = new Koa()
      if (onError) app.on('error', onError)
      // Koa's own listener, which it leaves out where there is another.
      if (logs) app.on('error', app.onerror)
      const router = new Router()
      const respond = (ctx, status) => {
        ctx.status = status
      }
      if (handler) app.use(handler({ path: PATH }))
      if (middleware) router.post(PATH, middleware(), (ctx) => respond(ctx, 204))
      if (verify)
        router.post(PATH, async (ctx) => {
          const length = ctx.req.headers['content-length']
          const body = await rawBody(ctx.req, { length, limit: LIMIT })
          return verify(body, from(ctx.req.headers), (status) => respond(ctx, status))
        })
      return createServer(app.use(router.routes()).callback())
    },
  },

  node: {
    load: () => import('@webhook-receiver/node'),
    serve({ handler, verify }) {
      if (handler) return createServer(handler({ path: PATH }))
      return createServer((req, res) => {
        const chunks = []
        let left = 1_048_576
        req.on('data', (chunk) => {
          left -= chunk.length
          if (left < 0) req.destroy()
          else chunks.push(chunk)
        })
        req.on('end', () => {
          verify(Buffer.concat(chunks), from(req.headers), (status) => res.writeHead(status).end())
        })
      })
    },
  },
}

/**
 * The application of each adapter, by its handler form, as a server of node:http.
 *
 * @type {Readonly<Record<string, (secret: string, options: import('@webhook-receiver/core').ReceiverOptions, more?: { handlers?: object, onError?: (error: unknown) => unknown, logs?: boolean }) => Promise<import('node:http').Server>>>}
 */
export const applications = {
  ...Object.fromEntries(Object.keys(FRAMEWORKS).map((name) => [name, by(name)])),

  nestjs: (secret, options, given) => onNest('express', secret, options, given),

  'nestjs-fastify': (secret, options, given) => onNest('fastify', secret, options, given),
}

function by(name) {
  const { load, serve } = FRAMEWORKS[name]
  return async (
    secret,
    options,
    { handlers = ANY, onError = printUnexpected, logs = false } = {},
  ) => {
    const { webhookHandler } = await load()
    const handler = (own) => webhookHandler(secret, handlers, { ...own, ...options })
    return serve({ handler }, { onError, logs })
  }
}

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

/** A look-up of headers, as Hono has it. */
function from(headers) {
  return (name) => (name ? headers[name] : headers)
}

/** Neither a rejection nor that a client is gone, which Koa and Nest print by default. */
function printUnexpected(error) {
  const rejection = error.expose || error.status < 500
  if (!rejection && !/^(EPIPE|ECONNRESET|HPE_)/.test(error.code)) console.error(error)
}
