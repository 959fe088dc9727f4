import { type WebhookVariables, webhookMiddleware } from '@webhook-receiver/hono'
import { deliverTo } from '@webhook-receiver/hono/testing'
import { Hono } from 'hono'

const app = new Hono()

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
