import Router from '@koa/router'
import type { ForwardErrors, WebhookHandlerFor } from '@webhook-receiver/core/adapter'
import { webhookHandler } from '@webhook-receiver/koa'
import Koa, { type Context, type Middleware } from 'koa'
import { expectTypeOf } from 'vitest'

interface Own extends ForwardErrors {
  readonly path?: string | undefined
}
expectTypeOf(webhookHandler).toEqualTypeOf<WebhookHandlerFor<Context, Middleware, Own>>()

// With a router, and without one.
new Router().post('/webhooks', webhookHandler('whsec_x', { any() {} }))
new Koa().use(webhookHandler('whsec_x', { any() {} }, { path: '/webhooks' }))
