import { createServer } from 'node:http'
import {
  describeMisbehavingClients,
  listening,
  SHORT_TIMEOUTS,
} from '@webhook-receiver/conformance'
import { requireDelivery, webhookMiddleware } from '@webhook-receiver/koa'
import Koa from 'koa'

describeMisbehavingClients('koa', ({ secret, now, path, onDelivery }) => {
  const app = new Koa()
  // Else it prints what this suite provokes.
  app.silent = true
  app.use(webhookMiddleware(secret, { path, now, onRejected: false }))
  app.use(async (ctx) => {
    await onDelivery(requireDelivery(ctx))
    ctx.status = 204
  })
  return listening(createServer(SHORT_TIMEOUTS, app.callback()))
})
