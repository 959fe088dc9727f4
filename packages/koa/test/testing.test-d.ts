import { type WebhookState, webhookMiddleware } from '@webhook-receiver/koa'
import { deliverTo } from '@webhook-receiver/koa/testing'
import Koa from 'koa'

// Applications with a state and a context of their own.
deliverTo(new Koa<WebhookState, { shop: string }>(), 'message.read')
deliverTo(new Koa().use(webhookMiddleware('whsec_x')), 'message.read')
// @ts-expect-error an application has a callback
deliverTo({}, 'message.read')
