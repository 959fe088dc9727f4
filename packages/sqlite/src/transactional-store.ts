import type { TransactionalDeliveryStore } from '@webhook-receiver/core'
import { madeBy } from '@webhook-receiver/core/store'
import type { SqliteDatabase } from './database.ts'
import { createDeliveries } from './deliveries.ts'
import { resolveOptions, type SqliteStoreOptions } from './options.ts'

/**
 * Marks a delivery as handled in the same transaction as its effects: both are committed or neither. The handler gets
 * the connection.
 *
 * SQLite allows one writer at a time, so deliveries are handled one after the other, across all processes. A duplicate
 * that arrives in the same process while the first copy is handled does not wait.
 *
 * @throws TypeError that says what to write instead.
 *
 * @example
 * const store = sqliteTransactionalStore({ database: new DatabaseSync('webhooks.db') })
 */
export function sqliteTransactionalStore<Database extends SqliteDatabase>(
  options: SqliteStoreOptions<Database>,
): TransactionalDeliveryStore<Database> {
  const resolved = resolveOptions(options)
  const { database } = options
  const { claim, forget } = createDeliveries(resolved)
  const running = new Set<string>()

  return madeBy<TransactionalDeliveryStore<Database>>('@webhook-receiver/sqlite', 'store', {
    forget: async (key) => !running.has(key) && forget(key),
    async transact(key, work) {
      if (running.has(key)) return { status: 'in_progress', retryAfter: 1 }
      running.add(key)
      try {
        return await claim(key, crypto.randomUUID(), 1, resolved.retention, () => work(database))
      } finally {
        running.delete(key)
      }
    },
  })
}
