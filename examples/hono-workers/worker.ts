import { webhookMiddleware } from '@webhook-receiver/hono'
import { Hono } from 'hono'

interface Bindings {
  readonly WEBHOOK_SECRET?: string
}

const app = new Hono<{ Bindings: Bindings }>()

// A function, because a Worker gets its secrets with each request and has no process.env.
const secret = (c: { readonly env: Bindings }) => c.env.WEBHOOK_SECRET

app.post('/webhooks', webhookMiddleware(secret), (c) => {
  const { id, event, data } = c.var.delivery
  console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
  return c.body(null, 204)
})

export default app
