import type { TransactionalDeliveryStore } from '@webhook-receiver/core'
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

interface Client {
  query(text: string): Promise<void>
}

declare const store: TransactionalDeliveryStore<Client>

interface Env {
  readonly SECRET: string
}

const withSecret = new Hono<{ Bindings: Env }>()
const schemas = { 'message.received': z.object({ text: z.string() }) }

// Schemas, events and the store of the third argument, and the bindings of the first, reach the handlers of the second.
withSecret.post(
  '/webhooks',
  webhookHandler(
    (c: Context<{ Bindings: Env }>) => c.env.SECRET,
    {
      'message.received': async (delivery, { request, signal, transaction, verification }) => {
        expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
        expectTypeOf(request).toEqualTypeOf<Context<{ Bindings: Env }>>()
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
        expectTypeOf(transaction).toEqualTypeOf<Client>()
        expectTypeOf(verification).toEqualTypeOf<Verification>()
      },
      'message.reacted': (delivery) => {
        expectTypeOf(delivery.event).toEqualTypeOf<'message.reacted'>()
      },
      unknown: (delivery) => expectTypeOf(delivery.known).toEqualTypeOf<false>(),
      any: (delivery) => expectTypeOf(delivery.known).toEqualTypeOf<boolean>(),
    },
    {
      extraEvents: ['message.reacted'],
      onError: (_error, { request }) => {
        expectTypeOf(request).toEqualTypeOf<Context<{ Bindings: Env }>>()
      },
      schemas,
      store,
    },
  ),
)

// @ts-expect-error it was not called
withSecret.post('/uncalled', webhookHandler)

// Bindings are those of the application, as many as the test needs.
const bound = new Hono<{ Bindings: { SHOP: string; KEY: string }; Variables: WebhookVariables }>()
deliverTo(bound, 'message.read', {}, { env: { SHOP: 's1' } })
deliverTo(bound.post('/', webhookMiddleware('whsec_x')), 'message.read', {}, { env: { KEY: 'k' } })
deliverTo(bound.basePath('/api'), 'message.read')
deliverTo(app, 'message.read', {}, { env: { WEBHOOK_SECRET: 'whsec_x' } })
// @ts-expect-error a misspelled binding
deliverTo(bound, 'message.read', {}, { env: { SHOPS: 's1' } })
// @ts-expect-error a binding of another type
deliverTo(bound, 'message.read', {}, { env: { SHOP: 1 } })
// @ts-expect-error an application takes a request
deliverTo({}, 'message.read')
