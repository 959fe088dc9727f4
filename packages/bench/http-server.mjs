// An application on one framework: http-server.mjs FRAMEWORK plain|receiver|control [LIBRARY]. Replies to each message with its CPU time.
import { createServer } from 'node:http'
import { LIBRARIES } from './libraries.mjs'
import { SECRET } from './messages.mjs'
import { verifyPlain } from './plain.mjs'

const [framework, subject, library] = process.argv.slice(2)
const { scheme, takesRequest, load = () => verifyPlain } = LIBRARIES[library] ?? {}
const verify = await load()
const PATH = '/webhooks'
const LIMIT = '1mb'

/** Whether what a route without a receiver has read is valid: some libraries throw if not, some return a promise. */
async function isValid(...input) {
  try {
    return Boolean(await verify(...input))
  } catch {
    return false
  }
}

const applications = {
  async express(isReceiver) {
    const { default: express } = await import('express')
    const { webhookMiddleware } = await import('@webhook-receiver/express')
    const app = express()
    if (isReceiver) {
      const middleware = webhookMiddleware(SECRET, { scheme })
      return app.post(PATH, middleware, (_req, res) => res.status(204).end())
    }
    const raw = express.raw({ type: 'application/json', limit: LIMIT })
    if (!library) {
      return app.post(PATH, raw, ({ body, headers }, res) => {
        res.status(verifyPlain(body, headers) ? 204 : 401).end()
      })
    }
    return app.post(PATH, raw, async ({ body, headers }, res) => {
      res.status((await isValid(body, headers)) ? 204 : 401).end()
    })
  },

  async fastify(isReceiver) {
    const { default: Fastify } = await import('fastify')
    const { webhookMiddleware } = await import('@webhook-receiver/fastify')
    const app = Fastify()
    app.register(async (scope) => {
      if (isReceiver) {
        await scope.register(webhookMiddleware(SECRET))
        scope.post(PATH, (_request, reply) => reply.code(204).send())
        return
      }
      const keepBytes = (_request, body, done) => done(null, body)
      scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, keepBytes)
      scope.post(PATH, async ({ headers, body }, reply) => {
        reply.code(verifyPlain(body, headers) ? 204 : 401)
      })
    })
    await app.ready()
    return app.routing
  },

  async hono(isReceiver) {
    const { Hono } = await import('hono')
    const { getRequestListener } = await import('@hono/node-server')
    const { webhookMiddleware } = await import('@webhook-receiver/hono')
    const app = new Hono()
    if (isReceiver) app.post(PATH, webhookMiddleware(SECRET, { scheme }), (c) => c.body(null, 204))
    else if (takesRequest)
      app.post(PATH, async (c) => c.body(null, (await isValid(c.req.raw)) ? 204 : 401))
    else if (library)
      app.post(PATH, async (c) => {
        const body = Buffer.from(await c.req.arrayBuffer())
        return c.body(null, (await isValid(body, c.req.header())) ? 204 : 401)
      })
    else
      app.post(PATH, async (c) => {
        const body = Buffer.from(await c.req.arrayBuffer())
        const headers = {
          'x-webhook-timestamp': c.req.header('x-webhook-timestamp'),
          'x-webhook-signature': c.req.header('x-webhook-signature'),
        }
        return c.body(null, verifyPlain(body, headers) ? 204 : 401)
      })
    return getRequestListener(app.fetch)
  },

  async koa(isReceiver) {
    const { default: Koa } = await import('koa')
    const { default: Router } = await import('@koa/router')
    const { default: rawBody } = await import('raw-body')
    const { webhookMiddleware } = await import('@webhook-receiver/koa')
    const router = new Router()
    if (isReceiver) {
      router.post(PATH, webhookMiddleware(SECRET), (ctx) => {
        ctx.status = 204
      })
    } else {
      router.post(PATH, async (ctx) => {
        const length = ctx.req.headers['content-length']
        const body = await rawBody(ctx.req, { length, limit: LIMIT })
        ctx.status = verifyPlain(body, ctx.req.headers) ? 204 : 401
      })
    }
    return new Koa().use(router.routes()).callback()
  },

  async node(isReceiver) {
    const { webhookHandler } = await import('@webhook-receiver/node')
    if (isReceiver) return webhookHandler(SECRET, () => {})
    return (req, res) => {
      const chunks = []
      req.on('data', (chunk) => chunks.push(chunk))
      req.on('end', () => {
        res.writeHead(verifyPlain(Buffer.concat(chunks), req.headers) ? 204 : 401).end()
      })
    }
  },
}

const server = createServer(await applications[framework](subject === 'receiver'))
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send(user + system)
})
