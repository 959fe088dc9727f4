import type { DeliveryStore } from '@webhook-receiver/core'
import { checkLease, madeBy } from '@webhook-receiver/core/store'
import { createDeliveries } from './deliveries.ts'
import { resolveOptions, type SqliteStoreOptions } from './options.ts'

/**
 * A store in an SQLite table, for any number of processes on one machine. Each delivery is one row. Later claims delete
 * expired rows.
 *
 * @throws TypeError for an invalid option; it says what to write instead.
 * @example
 * const store = sqliteStore({ database: new DatabaseSync('webhooks.db') })
 */
export function sqliteStore(options: SqliteStoreOptions): DeliveryStore {
  const { claim, extend, ...others } = createDeliveries(resolveOptions(options))
  return madeBy<DeliveryStore>('@webhook-receiver/sqlite', 'store', {
    ...others,
    claim: async (key, token, lease) => claim(key, token, 0, checkLease(lease)),
    extend: async (key, token, lease) => extend(key, token, checkLease(lease)),
  })
}
