import { type WebhookEvent, type WebhookState, webhookMiddleware } from '@webhook-receiver/koa'
import { deliverTo } from '@webhook-receiver/koa/testing'
import Koa from 'koa'
import { expectTypeOf } from 'vitest'

const app = new Koa()

// The seven events are offered, and any other name is taken.
deliverTo(app, 'message.received')
deliverTo(app, 'message.reacted', { emoji: '👍' }, { path: '/hooks', tamper: 'alter' })
expectTypeOf(deliverTo(app, 'message.read')).toEqualTypeOf<Promise<Response>>()
expectTypeOf<Parameters<typeof deliverTo>[1]>().toEqualTypeOf<WebhookEvent | (string & {})>()

// @ts-expect-error an event has a name
deliverTo(app, 1)
// @ts-expect-error content is an object
deliverTo(app, 'message.read', 'hello')
// @ts-expect-error a misspelled option
deliverTo(app, 'message.read', {}, { secert: 'whsec_x' })
// @ts-expect-error no such tampering
deliverTo(app, 'message.read', {}, { tamper: 'forge' })

// Applications with a state and a context of their own.
deliverTo(new Koa<WebhookState, { shop: string }>(), 'message.read')
deliverTo(new Koa().use(webhookMiddleware('whsec_x')), 'message.read')
// @ts-expect-error an application has a callback
deliverTo({}, 'message.read')
