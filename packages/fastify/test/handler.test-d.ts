import type { TransactionalDeliveryStore } from '@webhook-receiver/core'
import { memoryStore, type Verification, webhookHandler } from '@webhook-receiver/fastify'
import Fastify, { type FastifyRequest } from 'fastify'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

interface Client {
  query(text: string): Promise<void>
}

declare const store: TransactionalDeliveryStore<Client>

const app = Fastify()
const secret = process.env.WEBHOOK_SECRET
const schemas = { 'message.received': z.object({ text: z.string() }) }

// Schemas, events and the store of the third argument reach the handlers of the second.
app.register(
  webhookHandler(
    secret,
    {
      'message.received': async (delivery, { request, signal, transaction, verification }) => {
        expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
        expectTypeOf(request).toEqualTypeOf<FastifyRequest>()
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
        expectTypeOf(transaction).toEqualTypeOf<Client>()
        expectTypeOf(verification).toEqualTypeOf<Verification>()
      },
      'message.reacted': (delivery) => {
        expectTypeOf(delivery.event).toEqualTypeOf<'message.reacted'>()
      },
      unknown: (delivery) => expectTypeOf(delivery.known).toEqualTypeOf<false>(),
      any: (delivery) => expectTypeOf(delivery.known).toEqualTypeOf<boolean>(),
    },
    {
      extraEvents: ['message.reacted'],
      onError: (_error, { request }) => {
        expectTypeOf(request).toEqualTypeOf<FastifyRequest>()
      },
      schemas,
      store,
      url: '/webhooks',
    },
  ),
)

// One function for every event, and a secret function.
app.register(
  webhookHandler(
    (request) => `whsec_${request.hostname}`,
    async (delivery, { transaction }) => {
      expectTypeOf(transaction).toEqualTypeOf<undefined>()
      if (delivery.known && delivery.event === 'message.received') {
        expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
      }
    },
    { schemas, store: memoryStore(), url: '/all' },
  ),
)

// @ts-expect-error a misspelled event
webhookHandler(secret, { 'message.recieved': async () => {} }, { url: '/' })
// @ts-expect-error a misspelled event beside one that is known
webhookHandler(secret, { any() {}, 'message.recieved': async () => {} }, { schemas, url: '/' })
// @ts-expect-error a misspelled option
webhookHandler(secret, { any() {} }, { stor: memoryStore(), url: '/' })
// @ts-expect-error no store
webhookHandler(secret, { any() {} }, { store: new Map(), url: '/' })
// @ts-expect-error a schema for no event
webhookHandler(secret, { any() {} }, { schemas: { 'message.recieved': z.object({}) }, url: '/' })
// @ts-expect-error no URL
webhookHandler(secret, { any() {} }, {})
// @ts-expect-error it was not called
app.register(webhookHandler)
