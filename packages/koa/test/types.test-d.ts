import Router from '@koa/router'
import {
  type Delivery,
  requireDelivery,
  type Verification,
  type WebhookState,
  webhookMiddleware,
} from '@webhook-receiver/koa'
import { type } from 'arktype'
import Koa from 'koa'
import * as v from 'valibot'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

const secret = process.env.WEBHOOK_SECRET

const schemas = {
  'message.received': z.object({ text: z.string() }),
  'message.sent': v.object({ count: v.number() }),
  'message.read': type({ by: 'string' }),
}

// The state is typed for every middleware behind it.
new Koa<object>().use(webhookMiddleware(secret)).use((ctx) => {
  expectTypeOf(ctx.state.delivery).toEqualTypeOf<Delivery>()
  expectTypeOf(ctx.state.verification).toEqualTypeOf<Verification>()
})

// Three schema libraries in one map.
new Koa<object>().use(webhookMiddleware(secret, { schemas })).use((ctx) => {
  const { delivery } = ctx.state
  if (!delivery.known) return
  if (delivery.event === 'message.received') {
    expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
  }
  if (delivery.event === 'message.sent') {
    expectTypeOf(delivery.data.data).toEqualTypeOf<{ count: number }>()
  }
  if (delivery.event === 'message.read') {
    expectTypeOf(delivery.data.data).toEqualTypeOf<{ by: string }>()
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

// The secret: a string, named strings, or a function of the context.
webhookMiddleware({ current: 'whsec_b', previous: process.env.OLD_SECRET })
webhookMiddleware((ctx) => `whsec_${ctx.hostname}`)

// @ts-expect-error a number is not a secret
webhookMiddleware(1)
// @ts-expect-error a misspelled option
webhookMiddleware(secret, { tolerence: 1 })
// @ts-expect-error a misspelled event
webhookMiddleware(secret, { schemas: { 'message.recieved': z.object({}) } })
