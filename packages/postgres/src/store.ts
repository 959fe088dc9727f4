import type { DeliveryStore } from '@webhook-receiver/core'
import { checkLease, createSweeper } from '@webhook-receiver/core/store'
import { claimWith } from './claim.ts'
import { type PostgresStoreOptions, resolveStoreOptions } from './options.ts'
import { isChanged, type QueryValue, rowsOf } from './query.ts'
import { statementsFor } from './statements.ts'

/**
 * A store in a PostgreSQL table, for any number of processes. Each delivery is one row. Later claims delete expired rows.
 * It uses only the clock of PostgreSQL.
 *
 * Every step is one statement. If it is retried, the second result is the same as the first, except for `forget`.
 *
 * @throws TypeError for an invalid option; it says what to write instead.
 * @example
 * const store = postgresStore({ query: (text, values) => pool.query(text, values) })
 */
export function postgresStore(options: PostgresStoreOptions): DeliveryStore {
  const { query, table, retention } = resolveStoreOptions(options)
  const statements = statementsFor(table)
  const ask = (text: string, ...values: QueryValue[]) => rowsOf(query, table, text, values)
  const change = async (text: string, ...values: QueryValue[]) =>
    isChanged(await ask(text, ...values))
  // So that a client with other results fails before the first handler runs.
  const sweep = createSweeper((most) => change(statements.sweep, most))

  return {
    async claim(key, token, lease) {
      const seconds = checkLease(lease)
      await sweep()
      return claimWith(() => ask(statements.claim, key, token, seconds))
    },
    complete: (key, token) => change(statements.complete, key, token, retention),
    release: (key, token) => change(statements.release, key, token),
    extend: async (key, token, lease) => change(statements.extend, key, token, checkLease(lease)),
    forget: (key) => change(statements.forget, key),
  }
}
