import {
  createDeliveryHandler,
  type Delivery,
  memoryStore,
  type TransactionalDeliveryStore,
} from '@webhook-receiver/core'
import type { NoSchemas } from '@webhook-receiver/core/adapter'
import type { DeliveryHandlers, HandleDelivery } from '@webhook-receiver/core/internal'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

declare const delivery: Delivery
declare const sql: TransactionalDeliveryStore<{ query: string }>

const schemas = { 'message.received': z.object({ text: z.string() }) }

const handle = createDeliveryHandler({ any: () => {} })
expectTypeOf(handle).toEqualTypeOf<HandleDelivery>()
expectTypeOf(await handle(delivery)).toEqualTypeOf<'completed' | 'duplicate' | 'ignored'>()

// Extra events and the transaction, from the options; and schemas, said.
const reacting = createDeliveryHandler(
  {
    'message.reacted': ({ event }, { transaction }) => {
      expectTypeOf(event).toEqualTypeOf<'message.reacted'>()
      expectTypeOf(transaction.query).toEqualTypeOf<string>()
    },
  },
  { extraEvents: ['message.reacted'], store: sql },
)
expectTypeOf(reacting).parameter(0).toEqualTypeOf<Delivery<NoSchemas, 'message.reacted'>>()
createDeliveryHandler<typeof schemas>({
  'message.received': ({ data }) => expectTypeOf(data.data).toEqualTypeOf<{ text: string }>(),
})
// @ts-expect-error the third type is missing, and the transaction is not undefined
createDeliveryHandler<typeof schemas>({ any: () => {} }, { store: sql })

// Handlers that are made elsewhere.
const handlers: DeliveryHandlers = { 'message.read': async ({ event }) => event.length }
createDeliveryHandler(handlers, { store: undefined, timeout: undefined })

// @ts-expect-error a number of seconds
createDeliveryHandler({ any: () => {} }, { lease: '30s' })
// @ts-expect-error a store without release
createDeliveryHandler({ any: () => {} }, { store: { claim: async () => ({ status: 'done' }) } })
// @ts-expect-error a misspelt option
memoryStore({ maxEntry: 3 })
