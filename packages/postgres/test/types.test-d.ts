import type { DeliveryStore, TransactionalDeliveryStore } from '@webhook-receiver/core'
import { migrate, postgresStore, postgresTransactionalStore } from '@webhook-receiver/postgres'
import type pg from 'pg'
import { expectTypeOf } from 'vitest'

declare const pool: pg.Pool
declare function transaction<Result>(
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result>
declare function general(text: string, values: readonly unknown[]): Promise<{ rows: object[] }>

expectTypeOf(postgresStore({ query: general })).toEqualTypeOf<DeliveryStore>()
expectTypeOf(migrate((text, values) => pool.query(text, values))).toEqualTypeOf<Promise<void>>()

// The handler gets the client of the transaction.
const store = postgresTransactionalStore<pg.PoolClient>({
  transaction,
  query: (client, text, values, name) => client.query({ text, values, name }),
})
expectTypeOf(store).toEqualTypeOf<TransactionalDeliveryStore<pg.PoolClient>>()
store.transact('key', async (client) => {
  expectTypeOf(client).toEqualTypeOf<pg.PoolClient>()
})

// @ts-expect-error a store with leases has no transaction
postgresStore({ query: general, transaction })
// @ts-expect-error without `transaction` there is none to mark in
postgresTransactionalStore({ query: (_: pg.PoolClient, text: string) => pool.query(text) })

expectTypeOf(postgresStore({ pool })).toEqualTypeOf<DeliveryStore>()
expectTypeOf(postgresTransactionalStore({ pool })).toEqualTypeOf<
  TransactionalDeliveryStore<pg.PoolClient>
>()
// @ts-expect-error nothing reaches PostgreSQL
postgresStore({ retention: 60 })
