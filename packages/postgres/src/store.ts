import type { Claim, DeliveryStore } from '@webhook-receiver/core/handling'
import { checkValue, RETENTION } from '@webhook-receiver/core/options'
import { claimWith } from './claim.ts'
import { type PostgresStoreOptions, resolveStoreOptions } from './options.ts'
import { type QueryValue, rowsOf } from './query.ts'
import { statementsFor } from './statements.ts'
import { createSweeper } from './sweeper.ts'

/**
 * A store in a PostgreSQL table, for any number of processes. Each delivery is one row. Later claims delete expired rows.
 * It uses only the clock of PostgreSQL.
 *
 * Every step is one statement. If it is sent twice, the second answer is the same as the first.
 *
 * @throws TypeError for an invalid option; it says what to write instead.
 * @example
 * const store = postgresStore({ query: (text, values) => pool.query(text, values) })
 */
export function postgresStore(options: PostgresStoreOptions): DeliveryStore {
  const { query, table, retention } = resolveStoreOptions(options)
  const statements = statementsFor(table)
  const ask = (text: string, ...values: QueryValue[]) => rowsOf(query, table, text, values)
  const sweep = createSweeper((most) => ask(statements.sweep, most))

  return {
    async claim(key, token, lease): Promise<Claim> {
      const seconds = checkValue('lease', lease, RETENTION)
      await sweep()
      return claimWith(() => ask(statements.claim, key, token, seconds))
    },
    async complete(key, token): Promise<boolean> {
      return (await ask(statements.complete, key, token, retention)).length > 0
    },
    async release(key, token): Promise<boolean> {
      return (await ask(statements.release, key, token)).length > 0
    },
    async extend(key, token, lease): Promise<boolean> {
      const seconds = checkValue('lease', lease, RETENTION)
      return (await ask(statements.extend, key, token, seconds)).length > 0
    },
  }
}
