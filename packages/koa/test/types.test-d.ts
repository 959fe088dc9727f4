import Router from '@koa/router'
import {
  type Delivery,
  requireDelivery,
  type Verification,
  type WebhookState,
  webhookMiddleware,
} from '@webhook-receiver/koa'
import Koa from 'koa'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

const secret = process.env.WEBHOOK_SECRET

const schemas = { 'message.received': z.object({ text: z.string() }) }

// The state is typed for every middleware behind it.
new Koa<object>().use(webhookMiddleware(secret)).use((ctx) => {
  expectTypeOf(ctx.state.delivery).toEqualTypeOf<Delivery>()
  expectTypeOf(ctx.state.verification).toEqualTypeOf<Verification>()
})

// With schemas.
new Koa<object>().use(webhookMiddleware(secret, { schemas })).use((ctx) => {
  const { delivery } = ctx.state
  if (!delivery.known) return
  if (delivery.event === 'message.received') {
    expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
  }
  // @ts-expect-error no such event
  delivery.event === 'message.recieved'
})

// Behind @koa/router.
const router = new Router<WebhookState>()
router.post('/webhooks', webhookMiddleware(secret), (ctx) => {
  expectTypeOf(ctx.state.delivery).toEqualTypeOf<Delivery>()
})
new Router().post('/webhooks', webhookMiddleware(secret), (ctx) => {
  expectTypeOf(requireDelivery(ctx)).toEqualTypeOf<Delivery>()
})

// Without being called it is not a middleware.
// @ts-expect-error
new Koa().use(webhookMiddleware)
