import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { webhookMiddleware } from '@webhook-receiver/hono'
import { Hono } from 'hono'

const app = new Hono()
app.post('/webhooks', webhookMiddleware(process.env.WEBHOOK_SECRET), (c) => {
  console.log(JSON.stringify({ id: c.var.delivery.id }))
  return c.body(null, 204)
})
createServer(getRequestListener(app.fetch)).listen(Number(process.env.PORT), '127.0.0.1')
