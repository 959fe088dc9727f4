import {
  createDeliveryHandler,
  type Delivery,
  type DeliveryStore,
  memoryStore,
  type TransactionalDeliveryStore,
} from '@webhook-receiver/core'
import type { NoSchemas } from '@webhook-receiver/core/adapter'
import type { DeliveryHandlers, HandleDelivery } from '@webhook-receiver/core/internal'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

interface Client {
  query(text: string): Promise<unknown>
}

declare const delivery: Delivery
declare const sql: TransactionalDeliveryStore<Client>

const schemas = { 'message.received': z.object({ text: z.string() }) }

const handle = createDeliveryHandler({ any: () => {} })
expectTypeOf(handle).toEqualTypeOf<HandleDelivery>()
expectTypeOf(await handle(delivery)).toEqualTypeOf<'completed' | 'duplicate' | 'ignored'>()

// Schemas and extra events, said.
createDeliveryHandler<typeof schemas, 'message.reacted'>(
  {
    'message.received': ({ data }) => expectTypeOf(data.data).toEqualTypeOf<{ text: string }>(),
    'message.reacted': ({ event }) => expectTypeOf(event).toEqualTypeOf<'message.reacted'>(),
  },
  { extraEvents: ['message.reacted'] },
)

// Extra events, from the option.
const reacting = createDeliveryHandler(
  { 'message.reacted': ({ event }) => expectTypeOf(event).toEqualTypeOf<'message.reacted'>() },
  { extraEvents: ['message.reacted'] },
)
expectTypeOf(reacting).parameter(0).toEqualTypeOf<Delivery<NoSchemas, 'message.reacted'>>()

// The store says what a transaction is.
createDeliveryHandler(
  {
    'message.sent': async (_, { transaction }) =>
      expectTypeOf(transaction).toEqualTypeOf<Client>() && transaction.query('SELECT 1'),
  },
  { store: sql },
)
// @ts-expect-error the third type is missing, and the transaction is not undefined
createDeliveryHandler<typeof schemas>({ any: () => {} }, { store: sql })

// Handlers that are made elsewhere.
const handlers: DeliveryHandlers = { 'message.read': async ({ event }) => event.length }
createDeliveryHandler(handlers, { store: undefined, timeout: undefined })
expectTypeOf(memoryStore()).toEqualTypeOf<DeliveryStore>()

// @ts-expect-error a number of seconds
createDeliveryHandler({ any: () => {} }, { lease: '30s' })
// @ts-expect-error a store without release
createDeliveryHandler({ any: () => {} }, { store: { claim: async () => ({ status: 'done' }) } })
// @ts-expect-error a misspelt option
memoryStore({ maxEntry: 3 })
