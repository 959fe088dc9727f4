import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { TransactionalDeliveryStore } from '@webhook-receiver/core'
import {
  type Delivery,
  memoryStore,
  type WebhookContext,
  webhookHandler,
} from '@webhook-receiver/node'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

declare const secret: string | undefined
declare const sql: TransactionalDeliveryStore<{ query(text: string): void }>

createServer(
  webhookHandler(
    secret,
    {
      'message.received': async (delivery, context) => {
        expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
        expectTypeOf(context).toEqualTypeOf<WebhookContext<IncomingMessage>>()
      },
      'message.reacted': (delivery) =>
        expectTypeOf(delivery.event).toEqualTypeOf<'message.reacted'>(),
      unknown: (delivery) => expectTypeOf(delivery.known).toEqualTypeOf<false>(),
    },
    {
      path: '/webhooks',
      store: memoryStore(),
      schemas: { 'message.received': z.object({ text: z.string() }) },
      extraEvents: ['message.reacted'],
    },
  ),
)
expectTypeOf(
  webhookHandler(secret, (delivery) => expectTypeOf(delivery).toEqualTypeOf<Delivery>()),
).toExtend<RequestListener>()

webhookHandler(
  (request) => {
    expectTypeOf(request).toEqualTypeOf<IncomingMessage>()
    return secret
  },
  { any: (_, { transaction }) => transaction.query('SELECT 1') },
  { store: sql },
)

// @ts-expect-error a misspelt event
webhookHandler(secret, { 'message.recieved': async () => {} })
// @ts-expect-error a misspelt option
webhookHandler(secret, async () => {}, { stor: memoryStore() })
// @ts-expect-error a path that is not a string
webhookHandler(secret, async () => {}, { path: /webhooks/ })
