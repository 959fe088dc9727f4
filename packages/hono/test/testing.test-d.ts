import { type WebhookEvent, type WebhookVariables, webhookMiddleware } from '@webhook-receiver/hono'
import { deliverTo } from '@webhook-receiver/hono/testing'
import { Hono } from 'hono'
import { expectTypeOf } from 'vitest'

const app = new Hono()

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
