import { webhookMiddleware } from '@webhook-receiver/hono'
import { Hono } from 'hono'

interface Bindings {
  readonly WEBHOOK_SECRET?: string
}

const app = new Hono<{ Bindings: Bindings }>()

// A function: the secrets of a Worker come with each request, and there is no process.env.
const secret = (c: { readonly env: Bindings }) => c.env.WEBHOOK_SECRET

app.post('/webhooks', webhookMiddleware(secret), (c) => {
  const { id, event, data } = c.var.delivery
  console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
  return c.body(null, 204)
})

export default app
