import type { DatabaseSync } from 'node:sqlite'
import type { DeliveryStore, TransactionalDeliveryStore } from '@webhook-receiver/core'
import {
  migrate,
  type SqliteDatabase,
  sqliteStore,
  sqliteTransactionalStore,
} from '@webhook-receiver/sqlite'
import type BetterSqlite from 'better-sqlite3'
import { expectTypeOf } from 'vitest'

declare const better: BetterSqlite.Database

expectTypeOf(better).toExtend<SqliteDatabase>()
expectTypeOf<DatabaseSync>().toExtend<SqliteDatabase>()
expectTypeOf(sqliteStore({ database: better })).toEqualTypeOf<DeliveryStore>()
expectTypeOf(migrate(better)).toEqualTypeOf<Promise<void>>()

// The handler gets the connection with its own type.
const store = sqliteTransactionalStore({ database: better })
expectTypeOf(store).toEqualTypeOf<TransactionalDeliveryStore<BetterSqlite.Database>>()

// @ts-expect-error a path is not a connection
sqliteStore({ database: 'webhooks.db' })
