import type { ForwardErrors, WebhookHandlerFor } from '@webhook-receiver/core/adapter'
import {
  type Delivery,
  requireDelivery,
  type Verification,
  type WebhookRoute,
  webhookHandler,
  webhookMiddleware,
} from '@webhook-receiver/fastify'
import { deliverTo } from '@webhook-receiver/fastify/testing'
import Fastify, { type FastifyPluginAsync, type FastifyRequest } from 'fastify'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

const secret = process.env.WEBHOOK_SECRET
const app = Fastify()

const schemas = { 'message.received': z.object({ text: z.string() }) }

app.register(async (scope) => {
  await scope.register(webhookMiddleware(secret, { schemas, extraEvents: ['message.reacted'] }))

  scope.post<WebhookRoute>('/webhooks', async (request) => {
    expectTypeOf([request.delivery, request.body]).toEqualTypeOf<Delivery[]>()
    expectTypeOf(request.verification).toEqualTypeOf<Verification>()
  })

  // With schemas.
  scope.post<WebhookRoute<typeof schemas>>('/typed', async ({ delivery }) => {
    if (delivery.known && delivery.event === 'message.received') {
      expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
    }
  })
})

// Elsewhere the types can only say "maybe".
app.get('/elsewhere', async (request) => {
  expectTypeOf(request.delivery).toEqualTypeOf<Delivery | undefined>()
  expectTypeOf(request.verification).toEqualTypeOf<Verification | undefined>()
  expectTypeOf(requireDelivery(request)).toEqualTypeOf<Delivery>()
})

// @ts-expect-error it was not called
app.register(webhookMiddleware)

interface Own extends ForwardErrors {
  readonly url: string
}
type Expected = WebhookHandlerFor<FastifyRequest, FastifyPluginAsync, Own>
expectTypeOf(webhookHandler).toEqualTypeOf<Expected>()

// @ts-expect-error it was not called
app.register(webhookHandler)

// Applications on another server, with another logger.
deliverTo(Fastify({ http2: true, logger: { level: 'warn' } }), 'message.read')
deliverTo(
  app.register(async () => {}),
  'message.read',
)
// @ts-expect-error an application can be injected into
deliverTo({}, 'message.read')
