import {
  type Delivery,
  requireDelivery,
  type Verification,
  type WebhookVariables,
  webhookHandler,
  webhookMiddleware,
} from '@webhook-receiver/hono'
import { deliverTo } from '@webhook-receiver/hono/testing'
import { type Context, Hono } from 'hono'
import { expectTypeOf } from 'vitest'

const secret = process.env.WEBHOOK_SECRET
const app = new Hono()

app.post('/webhooks', webhookMiddleware(secret), (c) => {
  expectTypeOf(c.var.delivery).toEqualTypeOf<Delivery>()
  expectTypeOf(c.get('verification')).toEqualTypeOf<Verification>()
  return c.body(null, 204)
})

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

interface Env {
  readonly SECRET: string
}

const withSecret = new Hono<{ Bindings: Env }>()
// Of the handlers, core has the types; the request is the context, with the bindings of the secret function.
withSecret.post(
  '/webhooks',
  webhookHandler(
    (c: Context<{ Bindings: Env }>) => c.env.SECRET,
    (_delivery, { request }) => {
      expectTypeOf(request).toEqualTypeOf<Context<{ Bindings: Env }>>()
    },
  ),
)

// @ts-expect-error it was not called
withSecret.post('/uncalled', webhookHandler)

// Bindings are those of the application, as many as the test needs.
const bound = new Hono<{ Bindings: { SHOP: string; KEY: string }; Variables: WebhookVariables }>()
deliverTo(bound, 'message.read', {}, { env: { SHOP: 's1' } })
deliverTo(bound.basePath('/api'), 'message.read')
// @ts-expect-error a binding of another type
deliverTo(bound, 'message.read', {}, { env: { SHOP: 1 } })
// @ts-expect-error an application takes a request
deliverTo({}, 'message.read')
