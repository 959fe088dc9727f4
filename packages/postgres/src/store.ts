import type { DeliveryStore } from '@webhook-receiver/core'
import { checkLease, createSweeper, madeBy } from '@webhook-receiver/core/store'
import { claimWith } from './claim.ts'
import { type PoolOr, type PostgresStoreOptions, resolveStoreOptions } from './options.ts'
import { createAsk, isChanged, type QueryValue, repeated } from './query.ts'
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
  const { query, table, retention } = resolveStoreOptions(options)
  const statements = statementsFor(table)
  const send = createAsk(table)
  const ask = (statement: Statement, ...values: QueryValue[]) =>
    repeated(() => send(query, statement, values))
  const change = async (statement: Statement, ...values: QueryValue[]) =>
    isChanged(await ask(statement, ...values))
  // So that a client with other results fails before the first handler runs.
  const sweep = createSweeper((most) => change(statements.sweep, most))

  return madeBy<DeliveryStore>('@webhook-receiver/postgres', 'store', {
    async claim(key, token, lease) {
      const seconds = checkLease(lease)
      await sweep()
      return claimWith(
        () => change(statements.claim, key, token, seconds),
        () => ask(statements.claimed, key),
      )
    },
    complete: (key, token) => change(statements.complete, key, token, retention),
    release: (key, token) => change(statements.release, key, token),
    extend: async (key, token, lease) => change(statements.extend, key, token, checkLease(lease)),
    forget: async (key) => isChanged(await send(query, statements.forget, [key])),
  })
}
