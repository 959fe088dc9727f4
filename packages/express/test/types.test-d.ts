import type { WebhookEvent } from '@webhook-receiver/core'
import type { ForwardErrors, WebhookHandlerFor } from '@webhook-receiver/core/adapter'
import {
  type Delivery,
  requireDelivery,
  type Verification,
  webhookHandler,
  webhookMiddleware,
} from '@webhook-receiver/express'
import { deliverTo } from '@webhook-receiver/express/testing'
import express, { type Request, type RequestHandler } from 'express'
import { expectTypeOf } from 'vitest'

const app = express()
const secret = process.env.WEBHOOK_SECRET

// One line to mount, and req.delivery and req.body are the delivery in the next handler.
app.post('/webhooks', webhookMiddleware(secret), (req, res) => {
  expectTypeOf(req.verification).toEqualTypeOf<Verification>()
  expectTypeOf([req.delivery, req.body]).toEqualTypeOf<Delivery[]>()
  res.end()
})

// At the root, and on a path, the types of other handlers can only say "maybe".
app.use(webhookMiddleware(secret))
app.use('/webhooks', webhookMiddleware(secret))
app.get('/elsewhere', (req, res) => {
  expectTypeOf(req.delivery).toEqualTypeOf<Delivery | undefined>()
  expectTypeOf(requireDelivery(req)).toEqualTypeOf<Delivery>()
  expectTypeOf(req.verification).toEqualTypeOf<Verification | undefined>()
  res.end()
})

// Handlers and middlewares of others keep fitting.
const plain: RequestHandler = (_req, _res, next) => next()
const named = (_req: Request, res: express.Response) => void res.end()
app.post('/mixed', plain, webhookMiddleware(secret), plain, named)
app.post('/router', express.Router().use(webhookMiddleware(secret)))

// Without being called it is not a middleware.
// @ts-expect-error the compiler says what to write
app.post('/uncalled', webhookMiddleware, (_req, res) => void res.end())
// @ts-expect-error
app.use(webhookMiddleware)

type Expected = WebhookHandlerFor<Request, RequestHandler, ForwardErrors>
expectTypeOf(webhookHandler).toEqualTypeOf<Expected>()

// @ts-expect-error it was not called
app.post('/uncalled', webhookHandler)

// The seven events are offered, and any other name is taken.
deliverTo(app, 'message.reacted', { emoji: '👍' }, { path: '/hooks', tamper: 'body' })
expectTypeOf<Parameters<typeof deliverTo>[1]>().toEqualTypeOf<WebhookEvent | (string & {})>()

// @ts-expect-error an application is called with a request
deliverTo({}, 'message.read')
