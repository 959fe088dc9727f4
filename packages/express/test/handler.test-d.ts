import type { TransactionalDeliveryStore } from '@webhook-receiver/core'
import { memoryStore, type Verification, webhookHandler } from '@webhook-receiver/express'
import express, { type Request } from 'express'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

interface Client {
  query(text: string): Promise<void>
}

declare const store: TransactionalDeliveryStore<Client>

const app = express()
const secret = process.env.WEBHOOK_SECRET
const schemas = { 'message.received': z.object({ text: z.string() }) }

// Schemas, events and the store of the third argument reach the handlers of the second.
app.post(
  '/webhooks',
  webhookHandler(
    secret,
    {
      'message.received': async (delivery, { request, signal, transaction, verification }) => {
        expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
        expectTypeOf(request).toEqualTypeOf<Request>()
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
        expectTypeOf(request).toEqualTypeOf<Request>()
      },
      schemas,
      store,
    },
  ),
)

// One function for every event, and a secret function.
app.post(
  '/all',
  webhookHandler(
    (request) => `whsec_${request.hostname}`,
    async (delivery, { transaction }) => {
      expectTypeOf(transaction).toEqualTypeOf<undefined>()
      if (delivery.known && delivery.event === 'message.received') {
        expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
      }
    },
    { schemas, store: memoryStore() },
  ),
)

// @ts-expect-error a misspelled event
webhookHandler(secret, { 'message.recieved': async () => {} })
// @ts-expect-error a misspelled event beside one that is known
webhookHandler(secret, { any() {}, 'message.recieved': async () => {} }, { schemas })
// @ts-expect-error a misspelled option
webhookHandler(secret, { any() {} }, { stor: memoryStore() })
// @ts-expect-error no store
webhookHandler(secret, { any() {} }, { store: new Map() })
// @ts-expect-error a schema for no event
webhookHandler(secret, { any() {} }, { schemas: { 'message.recieved': z.object({}) } })
// @ts-expect-error it was not called
app.post('/uncalled', webhookHandler)
