const { createServer } = require('node:http')
const { Readable } = require('node:stream')
const { buffer, json } = require('node:stream/consumers')

/**
 * One application a framework, as a user would write it, in modules that the caller has loaded.
 * `/webhooks` is guarded; on `/parsed` something has read the body before the receiver comes.
 */
module.exports = {
  node({ webhookListener }, _framework, secret, saw) {
    const listener = webhookListener(secret, saw)
    return createServer(async (req, res) => {
      if (req.url === '/parsed') await json(req)
      listener(req, res)
    })
  },

  express({ webhookMiddleware }, { default: express }, secret, saw) {
    const app = express()
    const handler = (req, res) => {
      saw(req.delivery)
      res.sendStatus(204)
    }
    app.post('/webhooks', webhookMiddleware(secret), handler)
    app.post('/parsed', express.json(), webhookMiddleware(secret), handler)
    return createServer(app)
  },

  koa({ webhookMiddleware }, { default: Koa, bodyParser }, secret, saw) {
    const app = new Koa()
    const parse = bodyParser()
    app.use((ctx, next) => (ctx.path === '/parsed' ? parse(ctx, next) : next()))
    app.use(webhookMiddleware(secret))
    app.use((ctx) => {
      saw(ctx.state.delivery)
      ctx.status = 204
    })
    return createServer(app.callback())
  },

  async fastify({ webhookPlugin }, { default: Fastify }, secret, saw) {
    const app = Fastify()
    const handler = async (request, reply) => {
      saw(request.delivery)
      return reply.code(204).send()
    }
    app.register(async (scope) => {
      await scope.register(webhookPlugin, { secret })
      // Of no effect, whatever the release: the plugin has read the stream that this would wait for.
      scope.addContentTypeParser('application/json', { parseAs: 'string' }, async (_, body) => body)
      scope.post('/webhooks', handler)
    })
    app.register(async (scope) => {
      scope.addHook('preParsing', async (_request, _reply, body) =>
        Readable.from(await buffer(body)),
      )
      scope.register(webhookPlugin, { secret })
      scope.post('/parsed', handler)
    })
    await app.ready()
    return createServer(app.routing)
  },

  hono({ webhookMiddleware }, { Hono, getRequestListener }, secret, saw) {
    const app = new Hono()
    const handler = (c) => {
      saw(c.var.delivery)
      return c.body(null, 204)
    }
    app.use('/parsed', async (c, next) => {
      await c.req.json()
      await next()
    })
    app.post('/parsed', webhookMiddleware(secret), handler)
    app.post('/webhooks', webhookMiddleware(secret), handler)
    return createServer(getRequestListener(app.fetch))
  },
}
