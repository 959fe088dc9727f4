import type { TransactionalDeliveryStore } from '@webhook-receiver/core'
import { memoryStore, type Verification, webhookHandler } from '@webhook-receiver/hono'
import { type Context, Hono } from 'hono'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

interface Client {
  query(text: string): Promise<void>
}

declare const store: TransactionalDeliveryStore<Client>

interface Env {
  readonly SECRET: string
}

const app = new Hono<{ Bindings: Env }>()
const secret = process.env.WEBHOOK_SECRET
const schemas = { 'message.received': z.object({ text: z.string() }) }

// Schemas, events and the store of the third argument, and the bindings of the first, reach the handlers of the second.
app.post(
  '/webhooks',
  webhookHandler(
    (c: Context<{ Bindings: Env }>) => c.env.SECRET,
    {
      'message.received': async (delivery, { request, signal, transaction, verification }) => {
        expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
        expectTypeOf(request).toEqualTypeOf<Context<{ Bindings: Env }>>()
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
        expectTypeOf(request).toEqualTypeOf<Context<{ Bindings: Env }>>()
      },
      schemas,
      store,
    },
  ),
)

// One function for every event.
app.post(
  '/all',
  webhookHandler(
    secret,
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
