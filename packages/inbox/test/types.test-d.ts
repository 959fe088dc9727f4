import type { Delivery } from '@webhook-receiver/core'
import { postgresInbox } from '@webhook-receiver/inbox'
import { github, stripe } from '@webhook-receiver/schemes'
import type pg from 'pg'
import { expectTypeOf } from 'vitest'

declare const pool: pg.Pool
const inbox = postgresInbox({
  pool,
  services: {
    stripe: {
      scheme: stripe,
      handlers: {
        'invoice.paid': async (delivery, { transaction }) => {
          expectTypeOf(delivery.scheme).toEqualTypeOf<'stripe'>()
          expectTypeOf(delivery.data).toEqualTypeOf<Readonly<Record<string, unknown>>>()
          expectTypeOf(transaction).toEqualTypeOf<pg.PoolClient>()
        },
      },
      key: ({ data }) => String(data.customer),
    },
    github: {
      scheme: github,
      handlers: async (delivery) => {
        expectTypeOf(delivery.scheme).toEqualTypeOf<'github'>()
      },
    },
    default: {
      handlers: {
        'message.received': async (delivery, { transaction }) => {
          expectTypeOf(delivery.event).toEqualTypeOf<'message.received'>()
          expectTypeOf(transaction).toEqualTypeOf<pg.PoolClient>()
        },
      },
      key: (delivery) => delivery.data.instance_id,
    },
  },
})
expectTypeOf(inbox.receive).parameter(0).toEqualTypeOf<'stripe' | 'github' | 'default'>()
// @ts-expect-error there is no such service
inbox.receive('stripey')

// Without anything from which a scheme could be inferred.
const plain = postgresInbox({
  pool,
  services: {
    messages: {
      handlers: async (delivery, { attempt }) => {
        expectTypeOf(delivery).toEqualTypeOf<Delivery>()
        expectTypeOf(attempt).toEqualTypeOf<number>()
      },
      key: (delivery) => delivery.data.instance_id,
    },
  },
})
expectTypeOf(plain.receive).parameter(0).toEqualTypeOf<'messages'>()

interface Tx {
  run(text: string, values: unknown[]): Promise<{ rows: object[] }>
}
postgresInbox({
  transaction: async (_work: (tx: Tx) => Promise<void>) => {},
  query: (tx, text, values) => tx.run(text, values),
  services: {
    a: {
      scheme: stripe,
      handlers: async (_delivery, { transaction }) => {
        expectTypeOf(transaction).toEqualTypeOf<Tx>()
      },
    },
  },
})
