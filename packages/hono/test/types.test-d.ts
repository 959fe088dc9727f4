import {
  type Delivery,
  requireDelivery,
  type Verification,
  type WebhookVariables,
  webhookMiddleware,
} from '@webhook-receiver/hono'
import { type } from 'arktype'
import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

const secret = process.env.WEBHOOK_SECRET
const app = new Hono()

app.post('/webhooks', webhookMiddleware(secret), (c) => {
  expectTypeOf(c.var.delivery).toEqualTypeOf<Delivery>()
  expectTypeOf(c.get('verification')).toEqualTypeOf<Verification>()
  return c.body(null, 204)
})

// Three schema libraries in one map.
app.post(
  '/typed',
  webhookMiddleware(secret, {
    schemas: {
      'message.received': z.object({ text: z.string() }),
      'message.sent': v.object({ count: v.number() }),
      'message.read': type({ by: 'string' }),
    },
  }),
  (c) => {
    const { delivery } = c.var
    if (delivery.known && delivery.event === 'message.received') {
      expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
    }
    if (delivery.known && delivery.event === 'message.sent') {
      expectTypeOf(delivery.data.data).toEqualTypeOf<{ count: number }>()
    }
    if (delivery.known && delivery.event === 'message.read') {
      expectTypeOf(delivery.data.data).toEqualTypeOf<{ by: string }>()
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

// The secret: a string, named strings, or a function of the context.
webhookMiddleware({ current: 'whsec_b', previous: process.env.OLD_SECRET })
webhookMiddleware((c) => {
  expectTypeOf(c).toEqualTypeOf<Context>()
  return c.env.WEBHOOK_SECRET
})

// @ts-expect-error a number is not a secret
webhookMiddleware(1)
// @ts-expect-error a misspelled option
webhookMiddleware(secret, { tolerence: 1 })
// @ts-expect-error a misspelled event
webhookMiddleware(secret, { schemas: { 'message.recieved': z.object({}) } })
