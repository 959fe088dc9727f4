import { webhookHandler } from '@webhook-receiver/hono'
import { type Context, Hono } from 'hono'

interface Bindings {
  readonly WEBHOOK_SECRET?: string
}

const app = new Hono<{ Bindings: Bindings }>()

// A function, because a Worker gets its secrets with each request and has no process.env.
const secret = (c: Context<{ Bindings: Bindings }>) => c.env.WEBHOOK_SECRET

app.post(
  '/webhooks',
  webhookHandler(secret, {
    any: async ({ id, event, data }) => {
      console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
    },
  }),
)

export default app
