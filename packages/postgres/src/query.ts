import { ENDED, type Statement } from './statements.ts'

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

function isNotPrepared(error: unknown): boolean {
  return Object.entries(NOT_PREPARED).some(([code, text]) => hasCode(error, code, text))
}

/** The rows of a result. */
export function rowsIn(result: unknown): readonly unknown[] {
  const rows = isObject(result) && 'rows' in result ? result.rows : result
  if (Array.isArray(rows)) return rows
  throw noRows()
}

/** How many rows a statement has changed, by the result of pg. NaN where it is that of another client. */
export function countIn(result: unknown): number {
  const { command, rowCount } = Object(result)
  return typeof command === 'string' && typeof rowCount === 'number' ? rowCount : Number.NaN
}

/**
 * Whether a statement that returns the keys of what it changed has changed anything. Some clients resolve to [rows, count],
 * and for a lease that was lost that is not empty either.
 */
export function isChanged(rows: readonly unknown[]): boolean {
  if (rows.every((row) => isObject(row) && 'key' in row)) return rows.length > 0
  throw noRows()
}

/** What to throw where a client gives something else than rows. */
export function noRows(): Error {
  return new Error(
    '`query` resolved to neither rows nor an object with `rows`. It should resolve to the result of the client, such as (text, values, name) => pool.query({ text, values, name }), with each row as an object.',
  )
}

/** The SQLSTATE of a table that is not there. */
const UNDEFINED_TABLE = '42P01'

const MIGRATE =
  'Call migrate(query) before the first delivery, or run the SQL from the documentation.'

function explained(error: unknown, table: string, remedy: string): unknown {
  if (!hasCode(error, UNDEFINED_TABLE)) return error
  return advice(`The table ${table} does not exist. ${remedy}`, error, UNDEFINED_TABLE)
}

/** An error of the client with what to do about it, and its SQLSTATE, so that it is shown in place of its cause. */
function advice(message: string, cause: unknown, code: string): Error {
  return Object.assign(new Error(message, { cause }), { code })
}

/** How deep an error of the client may be wrapped. */
const DEPTH = 5

/**
 * Whether an error has this SQLSTATE, which every client gives as `code`, and says this text. ORMs wrap that error: as the `cause`, as
 * Sequelize's `original`, and Prisma in its message.
 */
export function hasCode(error: unknown, sqlState: string, text = '', depth = 0): boolean {
  if (!isObject(error) || depth > DEPTH) return false
  const { code, cause, original, message } = Object(error)
  const said = String(message)
  const isNamed = (code === sqlState || said.includes(`\`${sqlState}\``)) && said.includes(text)
  return isNamed || hasCode(cause ?? original, sqlState, text, depth + 1)
}

/** The SQLSTATE of a text that is not a number. */
const NOT_A_NUMBER = '22P02'

/** The SQLSTATE of a statement in a transaction that has failed. */
const FAILED_TRANSACTION = '25P02'

export const ENDED_BY_HANDLER: string = `${ENDED} Do not send COMMIT or ROLLBACK in a handler. To roll back, throw an error.`

/** Says what the handler did, where a transaction cannot end because of that. */
export function explainEnd(error: unknown): unknown {
  // A constraint that is deferred until COMMIT may fail with the same code.
  if (hasCode(error, NOT_A_NUMBER, ENDED)) return advice(ENDED_BY_HANDLER, error, NOT_A_NUMBER)
  if (!hasCode(error, FAILED_TRANSACTION)) return error
  return advice(
    'A statement failed, and the handler ignored the error. PostgreSQL commits nothing after a failed statement. Do not catch the error, or put the statement into a savepoint.',
    error,
    FAILED_TRANSACTION,
  )
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
