import type { DeliveryStore } from '@webhook-receiver/core'
import { checkLease, createSweeper, madeBy } from '@webhook-receiver/core/store'
import { claimWith } from './claim.ts'
import { type PoolOr, type PostgresStoreOptions, resolveStoreOptions } from './options.ts'
import { createSend, type QueryValue } from './query.ts'
import { countIn, isChanged, rowsIn } from './rows.ts'
import { type Statement, statementsFor } from './statements.ts'

/**
 * A store in a PostgreSQL table, for any number of processes. Each delivery is one row. Later claims delete expired rows.
 * It uses only the clock of PostgreSQL.
 *
 * Every step is one statement; a claim that fails needs a second one, which says why. If a step is retried, the second result
 * is the same as the first, except for `forget`.
 *
 * @throws TypeError for an invalid option; it says what to write instead.
 * @example
 * const store = postgresStore({ pool })
 */
export function postgresStore(options: PostgresStoreOptions & PoolOr<'query'>): DeliveryStore {
  const { query, pooled, table, retention } = resolveStoreOptions(options)
  const statements = statementsFor(table, retention)
  const send = createSend(table)
  /** Whether the results of the pool count what was changed. The first claim finds out. */
  let counts = false

  async function change(statement: Statement, ...values: QueryValue[]): Promise<boolean> {
    const counted = counts ? statement.counted : undefined
    const result = await send(query, counted ?? statement, values, true)
    return counted ? countIn(result) > 0 : isChanged(rowsIn(result))
  }

  const sweep = createSweeper(async (most) => {
    const result = await send(query, statements.sweep, [most], true)
    // So that a client with other results fails before the first handler runs.
    isChanged(rowsIn(result))
    counts = pooled && countIn(result) >= 0
  })

  return madeBy<DeliveryStore>('@webhook-receiver/postgres', 'store', {
    async claim(key, token, lease) {
      const seconds = checkLease(lease)
      const sweeping = sweep()
      if (sweeping) await sweeping
      return claimWith(
        () => change(statements.claim, key, token, seconds),
        async () => rowsIn(await send(query, statements.claimed, [key], true)),
      )
    },
    complete: (key, token) => change(statements.complete, key, token),
    release: (key, token) => change(statements.release, key, token),
    extend: async (key, token, lease) => change(statements.extend, key, token, checkLease(lease)),
    forget: async (key) => isChanged(rowsIn(await send(query, statements.forget, [key]))),
  })
}
