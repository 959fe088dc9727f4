import { createServer } from 'node:http'
import { runFailures } from '@webhook-receiver/conformance/failures'

/**
 * Throws everything that the suite knows in the handlers of one framework, plain ones and those of deliveryHandler.
 * One line: what was wrong.
 */
const STARTS = {
  async node() {
    const { deliveryHandler, webhookListener } = await import('@webhook-receiver/node')
    const plain = ({ secret, handler }) => listening(webhookListener(secret, handler))
    const handled = ({ handler, ...setup }) =>
      plain({ ...setup, handler: deliveryHandler({ any: handler }) })
    return { plain, handled, handed: 'nothing' }
  },

  async express() {
    const { deliveryHandler, webhookMiddleware } = await import('@webhook-receiver/express')
    const { default: express } = await import('express')
    const serve = ({ path, secret, onError }, guard) => {
      const app = express()
      guard(app, path, webhookMiddleware(secret))
      app.use((_req, res) => res.status(200).end('caught'))
      if (onError) app.use((error, _req, res, _next) => res.status(onError(error)).end())
      return listening(app)
    }
    const run = (handler) => (req) => handler(req.delivery)
    return {
      plain: (setup) =>
        serve(setup, (app, path, guard) => app.post(path, guard, run(setup.handler))),
      behind: (setup) =>
        serve(setup, (app, path, guard) => app.use(guard).post(path, run(setup.handler))),
      mounted: (setup) =>
        serve(setup, (app, path, guard) =>
          app.use(path, guard, express.Router().use(express().use(run(setup.handler)))),
        ),
      handled: (setup) =>
        serve(setup, (app, path, guard) =>
          app.post(path, guard, deliveryHandler({ any: setup.handler })),
        ),
    }
  },

  async koa() {
    const { deliveryHandler, webhookMiddleware } = await import('@webhook-receiver/koa')
    const { default: Koa } = await import('koa')
    const serve = ({ secret, onError }, middleware) => {
      const app = new Koa().use(webhookMiddleware(secret)).use(middleware)
      if (onError) app.on('error', onError)
      return listening(app.callback())
    }
    return {
      plain: (setup) => serve(setup, (ctx) => setup.handler(ctx.state.delivery)),
      handled: (setup) => serve(setup, deliveryHandler({ any: setup.handler })),
    }
  },

  async fastify() {
    const { deliveryHandler, webhookPlugin } = await import('@webhook-receiver/fastify')
    const { default: Fastify } = await import('fastify')
    const serve = async ({ onError }, register) => {
      const app = Fastify()
      if (onError) app.setErrorHandler((error, _, reply) => reply.code(onError(error)).send())
      app.register(register)
      await app.ready()
      return listening(app.routing)
    }
    const plain = ({ secret, path, ...setup }, handler) =>
      serve(setup, async (scope) => {
        await scope.register(webhookPlugin, { secret })
        scope.post(path, handler)
      })
    const run = (handler) => (request) => handler(request.delivery)
    return {
      plain: (setup) => plain(setup, run(setup.handler)),
      early: ({ secret, path, handler, ...setup }) =>
        serve(setup, async (scope) => {
          scope.post(path, run(handler))
          scope.register(webhookPlugin, { secret })
        }),
      handled: (setup) => plain(setup, deliveryHandler({ any: setup.handler })),
    }
  },

  async hono() {
    const { deliveryHandler, webhookMiddleware } = await import('@webhook-receiver/hono')
    const { Hono } = await import('hono')
    const { getRequestListener } = await import('@hono/node-server')
    const serve = ({ secret, path, onError }, handler) => {
      const app = new Hono()
      app.post(path, webhookMiddleware(secret), handler)
      if (onError) app.onError((error, c) => c.body(null, onError(error)))
      return listening(getRequestListener(app.fetch))
    }
    return {
      plain: (setup) => serve(setup, (c) => setup.handler(c.var.delivery)),
      handled: (setup) => serve(setup, deliveryHandler({ any: setup.handler })),
      handed: 'original',
    }
  },
}

const { handed, ...starts } = await STARTS[process.argv[2]]()
const problems = []
for (const [name, start] of Object.entries(starts)) {
  for (const result of await runFailures(start, { handed })) {
    problems.push(...result.problems.map((problem) => `${name}, with ${result.name}: ${problem}`))
  }
}
console.log(JSON.stringify(problems))
process.exit()

async function listening(listener) {
  const server = createServer(listener)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections())
  return { port: server.address().port, server, close }
}
