import { createServer } from 'node:http'
import { deliveryHandler, memoryStore, webhookListener } from '@webhook-receiver/node'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

type Open = Readonly<Record<string, unknown>>

const secret = process.env.WEBHOOK_SECRET
const schemas = { 'message.received': z.object({ text: z.string() }) }

// Without a word: the seven events.
createServer(
  webhookListener(
    secret,
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
  ),
)

// Schemas are passed as a type argument.
createServer(
  webhookListener(
    secret,
    deliveryHandler<typeof schemas>({
      'message.received': async (delivery) => {
        expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
      },
    }),
    { schemas },
  ),
)

// What the listener does not check, its handler cannot have.
webhookListener(
  secret,
  // @ts-expect-error the listener has no schemas
  deliveryHandler<typeof schemas>({ any: () => {} }),
)
webhookListener(secret, (delivery) => {
  if (delivery.known) expectTypeOf(delivery.data.data).toEqualTypeOf<Open>()
})
webhookListener(
  secret,
  (delivery) => {
    if (delivery.known && delivery.event === 'message.received') {
      expectTypeOf(delivery.data.data).toEqualTypeOf<{ text: string }>()
    }
  },
  { schemas },
)
webhookListener(
  secret,
  deliveryHandler(
    {
      'message.reacted': (delivery) => {
        expectTypeOf(delivery.event).toEqualTypeOf<'message.reacted'>()
      },
    },
    { extraEvents: ['message.reacted'] },
  ),
  { extraEvents: ['message.reacted'] },
)

// @ts-expect-error a misspelled event
deliveryHandler({ 'message.recieved': async () => {} })
// @ts-expect-error a misspelled option
deliveryHandler({ any: async () => {} }, { stor: memoryStore() })
// @ts-expect-error no store
deliveryHandler({ any: async () => {} }, { store: new Map() })
