import { hasCode } from './explain.ts'
import { configOf, type PostgresPool } from './pool.ts'
import type { Query, QueryResult, QueryValue } from './query.ts'
import { ROLLBACK } from './statements.ts'
import { BEGIN, COMMIT, withClient } from './transaction.ts'

/** How a transaction begins and ends. */
export interface Ends {
  /** Sends BEGIN and the first statement. */
  readonly first: Query
  /** Sends the last statement and, unless that fails, COMMIT. Resolves to no rows. */
  readonly last: Query
  /** Sends ROLLBACK because of an error. Rejects if that fails. */
  readonly back: (error: unknown) => Promise<void>
}

/** As `Transact`, but the work begins and commits by `ends`. Without them, that is done around it. */
export type TransactBetween = (
  work: (client: unknown, ends?: Ends) => Promise<void>,
) => PromiseLike<unknown>

/**
 * Transactions on the connections of a pool, in which the first statement travels with BEGIN, and the last with COMMIT: PostgreSQL runs
 * nothing of a message behind what fails. A message of several statements has no values, so the first has to be prepared: a connection
 * begins as the others do. Resolves to the result of COMMIT.
 */
export function betweenEnds(pool: PostgresPool<unknown>): TransactBetween {
  /** The name of the first statement, by connection. */
  const prepared = new WeakMap<object, string>()
  let joins = true

  return (work) =>
    withClient(pool, async (client, back) => {
      let isJoined = false
      let committed: { readonly result: unknown } | undefined

      await work(client, {
        back,
        async first(text, values, name) {
          if (joins && name && prepared.get(client) === name && values.every(isPlain)) {
            const executed = `EXECUTE ${name}(${values.map(literalOf)})`
            try {
              const result = await client.query({ text: `${BEGIN}; ${executed}` })
              isJoined = true
              return lastOf(result)
            } catch (error) {
              if (!CANNOT_JOIN.some((code) => hasCode(error, code))) throw error
              joins = false
              await client.query(ROLLBACK)
            }
          }
          await client.query({ text: BEGIN })
          const result = await client.query(configOf(text, values, name))
          if (name) prepared.set(client, name)
          return result
        },
        async last(text, values, name) {
          if (isJoined && values.every(isPlain)) {
            const filled = text.replace(/\$(\d+)/g, (_, place) =>
              literalOf(values[place - 1] ?? ''),
            )
            committed = { result: lastOf(await client.query({ text: `${filled}; ${COMMIT}` })) }
          } else {
            await client.query(configOf(text, values, name))
            committed = { result: await client.query({ text: COMMIT }) }
          }
          return []
        },
      })
      return committed ? committed.result : client.query({ text: COMMIT })
    })
}

/**
 * The SQLSTATEs of a statement that a pooler prepared on another connection, or under another name, and of a client that sends
 * only one statement at a time.
 */
const CANNOT_JOIN = ['26000', '42601']

/** Whether a value needs no escapes in a literal, whatever the settings of the connection. */
function isPlain(value: QueryValue): boolean {
  return typeof value === 'number' ? Number.isFinite(value) : /^[ -&(-[\]-~]*$/.test(value)
}

function literalOf(value: QueryValue): string {
  return typeof value === 'number' ? String(value) : `'${value}'`
}

/** Of a message of several statements, pg has a list of results. */
function lastOf(result: QueryResult): QueryResult {
  return Array.isArray(result) ? result.at(-1) : result
}
