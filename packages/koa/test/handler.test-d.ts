import Router from '@koa/router'
import { deliveryHandler, memoryStore, webhookMiddleware } from '@webhook-receiver/koa'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

type Open = Readonly<Record<string, unknown>>

const router = new Router()
const secret = process.env.WEBHOOK_SECRET
const schemas = { 'message.received': z.object({ text: z.string() }) }

// Without a word: the seven events.
router.post(
  '/webhooks',
  webhookMiddleware(secret),
  deliveryHandler(
    {
      'message.received': async (delivery, { signal, transaction }) => {
        expectTypeOf(delivery.event).toEqualTypeOf<'message.received'>()
        expectTypeOf(delivery.data.data).toEqualTypeOf<Open>()
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
        expectTypeOf(transaction).toEqualTypeOf<undefined>()
      },
      unknown: (delivery) => expectTypeOf(delivery.known).toEqualTypeOf<false>(),
      any: (delivery) => expectTypeOf(delivery.known).toEqualTypeOf<boolean>(),
    },
    { store: memoryStore() },
  ),
)

// Schemas are passed as a type argument.
router.post(
  '/said',
  webhookMiddleware(secret, { schemas }),
  deliveryHandler<typeof schemas>({
    'message.received': async (delivery) => {
      expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
    },
  }),
)

// @ts-expect-error a misspelled event
deliveryHandler({ 'message.recieved': async () => {} })
// @ts-expect-error a misspelled option
deliveryHandler({ any: async () => {} }, { stor: memoryStore() })
// @ts-expect-error no store
deliveryHandler({ any: async () => {} }, { store: new Map() })
