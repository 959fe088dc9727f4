import { createServer } from 'node:http'
import Router from '@koa/router'
import { describeAdapter, listening } from '@webhook-receiver/conformance'
import { requireDelivery, webhookMiddleware } from '@webhook-receiver/koa'
import Koa from 'koa'

describeAdapter('koa, with a path', ({ secret, now, path, onDelivery }) => {
  const app = quiet()
  app.use(webhookMiddleware(secret, { path, now, onRejected: false }))
  app.use(async (ctx) => {
    if (ctx.path !== path) return
    await onDelivery(requireDelivery(ctx))
    ctx.status = 204
  })
  return listening(createServer(app.callback()))
})

describeAdapter('koa, on a route of @koa/router', ({ secret, now, path, onDelivery }) => {
  const router = new Router()
  router.post(path, webhookMiddleware(secret, { now, onRejected: false }), async (ctx) => {
    await onDelivery(requireDelivery(ctx))
    ctx.status = 204
  })
  return listening(createServer(quiet().use(router.routes()).callback()))
})

/** An application that does not print the errors that this suite provokes. */
function quiet(): Koa {
  const app = new Koa()
  app.silent = true
  return app
}
