import { explained, hasCode } from './explain.ts'
import { rowsIn } from './rows.ts'
import type { Statement } from './statements.ts'

/** A value of a query: `$1` is the first. */
export type QueryValue = string | number

/** The result of a client: its rows, or an object with `rows`. */
export type QueryResult = readonly unknown[] | { readonly rows: readonly unknown[] }

/**
 * Sends one statement with its values and resolves to the result of the client. If the client prepares the statement under
 * its name, PostgreSQL plans it once for each connection. Without a name, it must not be prepared.
 */
export type Query = (
  text: string,
  values: QueryValue[],
  name?: string | undefined,
) => PromiseLike<QueryResult>

/** Sends a statement of the store and gives its rows. */
export type Ask = (
  query: Query,
  statement: Statement,
  values: QueryValue[],
) => Promise<readonly unknown[]>

/** Sends a statement of the store and gives the result of the client. */
export type Send = (
  query: Query,
  statement: Statement,
  values: QueryValue[],
  /** Whether it is sent once more where it was not prepared. */
  repeats?: boolean,
) => Promise<QueryResult>

/**
 * Sends the statements of a store, prepared until a connection does not know one: a pooler gives a client the connections of
 * others. `remedy` is for a table that is missing.
 */
export function createSend(table: string, remedy: string = MIGRATE): Send {
  let prepares = true
  // One promise for each statement: every delivery needs some.
  return async function send(query, statement, values, repeats = false) {
    try {
      return await query(statement.text, values, prepares ? statement.name : undefined)
    } catch (error) {
      if (!isNotPrepared(error)) throw explained(error, table, remedy)
      if (prepares) {
        prepares = false
        console.warn(
          `[webhook-receiver] The store no longer uses prepared statements, which makes it slower. A pooler such as PgBouncer needs \`max_prepared_statements\` for them. PostgreSQL said: ${Object(error).message}`,
        )
      }
      if (repeats) return send(query, statement, values)
      throw error
    }
  }
}

/** As `createSend`, and gives the rows. */
export function createAsk(table: string, remedy?: string): Ask {
  const send = createSend(table, remedy)
  return async (...sent) => rowsIn(await send(...sent))
}

/** Sends once more what was not prepared. It must be something that may be sent twice, and not be in a transaction. */
export async function repeated<Result>(
  send: () => Promise<Result>,
  wanted: () => boolean = () => true,
): Promise<Result> {
  try {
    return await send()
  } catch (error) {
    if (isNotPrepared(error) && wanted()) return send()
    throw error
  }
}

/**
 * The SQLSTATEs of a statement that is not prepared, and that another client has prepared. PgBouncer says both, and much else, with the
 * code of a protocol violation.
 */
const NOT_PREPARED = { '26000': '', '42P05': '', '08P01': 'prepared statement' }

export function isNotPrepared(error: unknown): boolean {
  return Object.entries(NOT_PREPARED).some(([code, text]) => hasCode(error, code, text))
}

const MIGRATE =
  'Call migrate(query) before the first delivery, or run the SQL from the documentation.'
