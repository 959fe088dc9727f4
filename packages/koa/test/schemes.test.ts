import { createServer } from 'node:http'
import { listening } from '@webhook-receiver/conformance'
import { webhookHandler, webhookMiddleware } from '@webhook-receiver/koa'
import { describeSchemes } from '@webhook-receiver/suites'
import Koa from 'koa'

describeSchemes('koa', 'handler', ({ secret, now, path, work, options }) => {
  const handler = webhookHandler(
    secret,
    { any: work },
    { path, now, onRejected: false, ...options },
  )
  return listening(createServer(new Koa().use(handler).callback()))
})

describeSchemes('koa', 'middleware', ({ secret, now, work, options }) => {
  const { duplicates: _, ...others } = options
  const app = new Koa().use(webhookMiddleware(secret, { now, onRejected: false, ...others }))
  app.use((ctx) => {
    const { delivery, verification } = ctx.state
    work(delivery, Object({ verification }))
    ctx.status = 204
  })
  return listening(createServer(app.callback()))
})
