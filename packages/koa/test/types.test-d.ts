import Router from '@koa/router'
import type { ForwardErrors, WebhookHandlerFor } from '@webhook-receiver/core/adapter'
import {
  type Delivery,
  requireDelivery,
  type Verification,
  type WebhookState,
  webhookHandler,
  webhookMiddleware,
} from '@webhook-receiver/koa'
import { deliverTo } from '@webhook-receiver/koa/testing'
import Koa, { type Context, type Middleware } from 'koa'
import { expectTypeOf } from 'vitest'

const secret = process.env.WEBHOOK_SECRET

// The state is typed for every middleware behind it.
new Koa<object>().use(webhookMiddleware(secret)).use((ctx) => {
  expectTypeOf(ctx.state.delivery).toEqualTypeOf<Delivery>()
  expectTypeOf(ctx.state.verification).toEqualTypeOf<Verification>()
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

interface Own extends ForwardErrors {
  readonly path?: string | undefined
}
expectTypeOf(webhookHandler).toEqualTypeOf<WebhookHandlerFor<Context, Middleware, Own>>()

new Router().post('/webhooks', webhookHandler('whsec_x', { any() {} }))

// Applications with a state and a context of their own.
deliverTo(new Koa<WebhookState, { shop: string }>(), 'message.read')
deliverTo(new Koa().use(webhookMiddleware('whsec_x')), 'message.read')
// @ts-expect-error an application has a callback
deliverTo({}, 'message.read')
