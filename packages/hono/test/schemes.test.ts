import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { listening } from '@webhook-receiver/conformance'
import { webhookHandler, webhookMiddleware } from '@webhook-receiver/hono'
import { describeSchemes } from '@webhook-receiver/suites'
import { Hono } from 'hono'

describeSchemes('hono', 'handler', ({ secret, now, path, work, options }) => {
  const app = new Hono()
  const handler = webhookHandler(secret, { any: work }, { now, onRejected: false, ...options })
  app.route(path, new Hono().post('/', handler))
  return listening(createServer(getRequestListener(app.fetch)))
})

describeSchemes('hono', 'middleware', ({ secret, now, path, work, options }) => {
  const { duplicates: _, ...others } = options
  const app = new Hono()
  const middleware = webhookMiddleware(secret, { now, onRejected: false, ...others })
  app.post(path, middleware, (c) => {
    work(c.var.delivery, Object({ verification: c.var.verification }))
    return c.body(null, 204)
  })
  return listening(createServer(getRequestListener(app.fetch)))
})
