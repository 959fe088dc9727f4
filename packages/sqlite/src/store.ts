import type { Claim, DeliveryStore } from '@webhook-receiver/core/handling'
import { checkValue, RETENTION } from '@webhook-receiver/core/options'
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
  const { claim, complete, release, extend } = createDeliveries(resolveOptions(options))
  return {
    async claim(key, token, lease): Promise<Claim> {
      return claim(key, token, 0, checkValue('lease', lease, RETENTION))
    },
    complete,
    release,
    async extend(key, token, lease): Promise<boolean> {
      return extend(key, token, checkValue('lease', lease, RETENTION))
    },
  }
}
