import {
  type Delivery,
  requireDelivery,
  type Verification,
  type WebhookRoute,
  webhookMiddleware,
} from '@webhook-receiver/fastify'
import { type } from 'arktype'
import Fastify, { type FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

const secret = process.env.WEBHOOK_SECRET
const app = Fastify()

const schemas = {
  'message.received': z.object({ text: z.string() }),
  'message.sent': v.object({ count: v.number() }),
  'message.read': type({ by: 'string' }),
}

app.register(async (scope) => {
  await scope.register(webhookMiddleware(secret, { schemas, extraEvents: ['message.reacted'] }))

  scope.post<WebhookRoute>('/webhooks', async (request) => {
    expectTypeOf(request.delivery).toEqualTypeOf<Delivery>()
    expectTypeOf(request.body).toEqualTypeOf<Delivery>()
    expectTypeOf(request.verification).toEqualTypeOf<Verification>()
  })

  // Three schema libraries in one map.
  scope.post<WebhookRoute<typeof schemas>>('/typed', async ({ delivery, verification }) => {
    expectTypeOf(verification).toEqualTypeOf<Verification>()
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
})

// Elsewhere the types can only say "maybe".
app.get('/elsewhere', async (request) => {
  expectTypeOf(request.delivery).toEqualTypeOf<Delivery | undefined>()
  expectTypeOf(request.verification).toEqualTypeOf<Verification | undefined>()
  expectTypeOf(requireDelivery(request)).toEqualTypeOf<Delivery>()
})

// The secret: a string, named strings, or a function of the request.
app.register(webhookMiddleware({ current: 'whsec_b', previous: process.env.OLD_SECRET }))
app.register(
  webhookMiddleware((request) => {
    expectTypeOf(request).toEqualTypeOf<FastifyRequest>()
    return `whsec_${request.hostname}`
  }),
)

// @ts-expect-error a number is not a secret
webhookMiddleware(1)
// @ts-expect-error a misspelled option
webhookMiddleware(secret, { tolerence: 1 })
// @ts-expect-error a misspelled event
webhookMiddleware(secret, { schemas: { 'message.recieved': z.object({}) } })
// @ts-expect-error it was not called
app.register(webhookMiddleware)
