import {
  type Delivery,
  requireDelivery,
  type Verification,
  type WebhookVariables,
  webhookMiddleware,
} from '@webhook-receiver/hono'
import { type Context, Hono } from 'hono'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

const secret = process.env.WEBHOOK_SECRET
const app = new Hono()

app.post('/webhooks', webhookMiddleware(secret), (c) => {
  expectTypeOf(c.var.delivery).toEqualTypeOf<Delivery>()
  expectTypeOf(c.get('verification')).toEqualTypeOf<Verification>()
  return c.body(null, 204)
})

// With schemas.
app.post(
  '/typed',
  webhookMiddleware(secret, { schemas: { 'message.received': z.object({ text: z.string() }) } }),
  (c) => {
    const { delivery } = c.var
    if (delivery.known && delivery.event === 'message.received') {
      expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
    }
    // @ts-expect-error no such event
    delivery.known && delivery.event === 'message.recieved'
    return c.body(null, 204)
  },
)

// Mounted for a whole application, by its variables.
new Hono<{ Variables: WebhookVariables }>().use(webhookMiddleware(secret)).post('/', (c) => {
  expectTypeOf(c.var.delivery).toEqualTypeOf<Delivery>()
  expectTypeOf(requireDelivery(c)).toEqualTypeOf<Delivery>()
  return c.body(null, 204)
})

webhookMiddleware((c) => {
  expectTypeOf(c).toEqualTypeOf<Context>()
  return c.env.WEBHOOK_SECRET
})
