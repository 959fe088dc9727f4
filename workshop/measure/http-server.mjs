// An application on one framework, as its argument says: a JSON object. Replies to each message with what it asks for.
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LIBRARIES } from './libraries.mjs'
import { SECRET } from './messages.mjs'
import { verifyPlain } from './plain.mjs'
import { PATH, SERVICES } from './services.mjs'

/**
 * `form` is ours that receives; without one, the application verifies by the `library`, or by plain node:crypto. `root` is the checkout
 * whose packages are loaded.
 */
const { framework, form, library, service, root } = JSON.parse(process.argv[2])
const { load = () => verifyPlain } = LIBRARIES[library] ?? {}
const verify = await load()
const LIMIT = '1mb'

/** What calls the work of the first delivery. */
let callers

/** The work of each delivery. */
async function work() {
  callers ??= stackOf()
}

function stackOf() {
  Error.stackTraceLimit = 100
  return new Error().stack
}

/** The adapter of the checkout, with the options for the service; undefined for an application that verifies by itself. */
async function adapterOf() {
  if (!form) return undefined
  const { webhookHandler, webhookMiddleware } = await imported(framework)
  const { publicUrl } = SERVICES[service]
  const schemes = Object.values(await imported('schemes'))
  const options = { publicUrl, scheme: schemes.find(({ name }) => name === service) }
  return {
    handler: (others) => webhookHandler(SECRET, work, { ...options, ...others }),
    middleware: () => webhookMiddleware(SECRET, options),
  }
}

/** What a package exports, as it is built in the checkout. */
function imported(name) {
  return import(pathToFileURL(join(root, 'packages', name, 'dist/index.js')))
}

/** Whether what a route without a receiver has read is valid: some libraries throw if not, some return a promise. */
async function isValid(...input) {
  try {
    return Boolean(await verify(...input))
  } catch {
    return false
  }
}

const applications = {
  async express(adapter) {
    const { default: express } = await import('express')
    const app = express()
    if (form === 'handler') return app.post(PATH, adapter.handler())
    if (form) return app.post(PATH, adapter.middleware(), (_req, res) => res.status(204).end())
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

  async fastify(adapter) {
    const { default: Fastify } = await import('fastify')
    const app = Fastify()
    app.register(async (scope) => {
      if (form === 'handler') return scope.register(adapter.handler({ url: PATH }))
      if (form) {
        await scope.register(adapter.middleware())
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

  async hono(adapter) {
    const { Hono } = await import('hono')
    const { getRequestListener } = await import('@hono/node-server')
    const app = new Hono()
    if (form === 'handler') app.post(PATH, adapter.handler())
    else if (form) app.post(PATH, adapter.middleware(), (c) => c.body(null, 204))
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

  async koa(adapter) {
    const { default: Koa } = await import('koa')
    const { default: Router } = await import('@koa/router')
    const { default: rawBody } = await import('raw-body')
    const router = new Router()
    if (form === 'handler') router.post(PATH, adapter.handler())
    else if (form) {
      router.post(PATH, adapter.middleware(), (ctx) => {
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

  node(adapter) {
    if (form) return adapter.handler()
    return (req, res) => {
      const chunks = []
      req.on('data', (chunk) => chunks.push(chunk))
      req.on('end', () => {
        res.writeHead(verifyPlain(Buffer.concat(chunks), req.headers) ? 204 : 401).end()
      })
    }
  },
}

const server = createServer(await applications[framework](await adapterOf()))
// A client that is slow to send its next request must not find its connection closed.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => process.send(server.address().port))

const REPLIES = {
  cpu() {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  callers: () => callers ?? '',
}

process.on('message', (question) => process.send(REPLIES[question]()))
// Also where whoever measures was killed.
process.once('disconnect', () => process.exit())
