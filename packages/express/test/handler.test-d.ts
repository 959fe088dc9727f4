import type { ForwardErrors, WebhookHandlerFor } from '@webhook-receiver/core/adapter'
import { webhookHandler } from '@webhook-receiver/express'
import express, { type Request, type RequestHandler } from 'express'
import { expectTypeOf } from 'vitest'

type Expected = WebhookHandlerFor<Request, RequestHandler, ForwardErrors>
expectTypeOf(webhookHandler).toEqualTypeOf<Expected>()

const app = express()
app.post('/webhooks', webhookHandler('whsec_x', { any() {} }))
// @ts-expect-error it was not called
app.post('/uncalled', webhookHandler)
