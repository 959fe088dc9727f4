import { getRequestListener } from '@hono/node-server'
import { webhookMiddleware } from '@webhook-receiver/hono'
import { Hono } from 'hono'

export default function ours(secret, take) {
  const app = new Hono()
  app.post('/webhooks', webhookMiddleware(secret), (c) => {
    take(c.var.delivery)
    return c.body(null, 204)
  })
  return getRequestListener(app.fetch)
}
