import Router from '@koa/router'
import type { TransactionalDeliveryStore } from '@webhook-receiver/core'
import { memoryStore, type Verification, webhookHandler } from '@webhook-receiver/koa'
import Koa, { type Context } from 'koa'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

interface Client {
  query(text: string): Promise<void>
}

declare const store: TransactionalDeliveryStore<Client>

const router = new Router()
const app = new Koa()
const secret = process.env.WEBHOOK_SECRET
const schemas = { 'message.received': z.object({ text: z.string() }) }

// Schemas, events and the store of the third argument reach the handlers of the second.
router.post(
  '/webhooks',
  webhookHandler(
    secret,
    {
      'message.received': async (delivery, { request, signal, transaction, verification }) => {
        expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
        expectTypeOf(request).toEqualTypeOf<Context>()
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
        expectTypeOf(request).toEqualTypeOf<Context>()
      },
      schemas,
      store,
    },
  ),
)

// One function for every event, a secret function, and no router.
app.use(
  webhookHandler(
    (ctx) => `whsec_${ctx.hostname}`,
    async (delivery, { transaction }) => {
      expectTypeOf(transaction).toEqualTypeOf<undefined>()
      if (delivery.known && delivery.event === 'message.received') {
        expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
      }
    },
    { path: '/webhooks', schemas, store: memoryStore() },
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
