import { hasCode } from './explain.ts'
import { configOf, type PoolClient, type PostgresPool, type Sent } from './pool.ts'
import { isNotPrepared, type Query, type QueryResult, type QueryValue } from './query.ts'
import { ROLLBACK, SAVEPOINT } from './statements.ts'
import { BEGIN, COMMIT, withClient } from './transaction.ts'

/** How a transaction begins and ends. */
export interface Ends {
  /** Sends BEGIN and the first statement. */
  readonly first: Query
  /** Sends COMMIT. Rejects where the transaction is another one, or has failed. */
  readonly commit: () => Promise<void>
  /** Sends ROLLBACK because of an error. Rejects if that fails. */
  readonly back: (error: unknown) => Promise<void>
}

/** As `Transact`, but the work begins and commits by `ends`. Without them, that is done around it. */
export type TransactBetween = (
  work: (client: unknown, ends?: Ends) => Promise<void>,
) => PromiseLike<unknown>

/**
 * Transactions on the connections of a pool, in which the first statement travels with BEGIN: PostgreSQL runs nothing of a message behind
 * what fails. A message of several statements has no values, so the first has to be prepared: a connection begins as the others do. A
 * savepoint, which is gone where the work has ended its transaction, is released together with COMMIT: no other check takes PostgreSQL
 * less time. Resolves to the result of COMMIT.
 */
export function betweenEnds(pool: PostgresPool<unknown>): TransactBetween {
  /** The name of the first statement, by connection. */
  const prepared = new WeakMap<object, string>()
  let executes = true
  let joins = true

  /** Sends BEGIN and the savepoint: together, unless the client sends one statement at a time. No code of the application fails here. */
  async function begin(client: PoolClient): Promise<void> {
    if (joins) {
      try {
        await client.query({ text: `${BEGIN}; ${SAVEPOINT}` })
        return
      } catch (error) {
        if (!hasCode(error, ONE_AT_A_TIME)) throw error
        joins = false
      }
    }
    await client.query({ text: BEGIN })
    await client.query({ text: SAVEPOINT })
  }

  async function beginWith(
    client: PoolClient,
    ...[text, values, name]: Sent
  ): Promise<QueryResult> {
    if (executes && name && prepared.get(client) === name && values.every(isPlain)) {
      const executed = `EXECUTE ${name}(${values.map(literalOf)})`
      try {
        return lastOf(await client.query({ text: `${BEGIN}; ${SAVEPOINT}; ${executed}` }))
      } catch (error) {
        if (!CANNOT_EXECUTE.some((code) => hasCode(error, code))) throw error
        executes = false
        await client.query(ROLLBACK)
      }
    }
    await begin(client)
    const result = await client.query(configOf(text, values, name))
    if (name) prepared.set(client, name)
    return result
  }

  async function commit(client: PoolClient): Promise<QueryResult> {
    if (joins) return lastOf(await client.query({ text: `${RELEASE}; ${COMMIT}` }))
    await client.query({ text: RELEASE })
    return client.query({ text: COMMIT })
  }

  return (work) =>
    withClient(pool, async (client, back, spoil) => {
      let committed: { readonly result: unknown } | undefined

      await work(client, {
        back,
        async first(...sent) {
          try {
            return await beginWith(client, ...sent)
          } catch (error) {
            // What a handler has set and committed, such as a role, would fail every delivery on this connection.
            if (!isNotPrepared(error)) spoil(error)
            throw error
          }
        },
        async commit() {
          committed = { result: await commit(client) }
        },
      })
      return committed ? committed.result : client.query({ text: COMMIT })
    })
}

const RELEASE = `RELEASE ${SAVEPOINT}`

/** The SQLSTATE of a client that sends only one statement at a time. */
const ONE_AT_A_TIME = '42601'

/** And of a statement that a pooler prepared on another connection, or under another name. */
const CANNOT_EXECUTE = [ONE_AT_A_TIME, '26000']

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
