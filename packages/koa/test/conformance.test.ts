import { createServer } from 'node:http'
import Router from '@koa/router'
import { type AdapterSetup, describeAdapter, listening } from '@webhook-receiver/conformance'
import { requireDelivery, webhookMiddleware } from '@webhook-receiver/koa'
import { describeMisbehavingClients, SHORT_TIMEOUTS } from '@webhook-receiver/suites'
import Koa from 'koa'

function application({ secret, now, path, onDelivery }: AdapterSetup): Koa {
  const router = new Router()
  router.post(path, webhookMiddleware(secret, { now, onRejected: false }), async (ctx) => {
    await onDelivery(requireDelivery(ctx))
    ctx.status = 204
  })
  const app = new Koa()
  app.use(router.routes())
  // It does not print what these suites cause.
  app.silent = true
  return app
}

describeAdapter('koa', (setup) => listening(createServer(application(setup).callback())))

describeMisbehavingClients('koa', (setup) =>
  listening(createServer(SHORT_TIMEOUTS, application(setup).callback())),
)
