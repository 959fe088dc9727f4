import { webhookMiddleware } from '@webhook-receiver/hono'
import { Hono } from 'hono'

const app = new Hono<{ Bindings: { readonly WEBHOOK_SECRET: string } }>()
app.post(
  '/webhooks',
  webhookMiddleware((c) => c.env.WEBHOOK_SECRET),
  (c) => {
    console.log(JSON.stringify({ id: c.var.delivery.id }))
    return c.body(null, 204)
  },
)
export default app
