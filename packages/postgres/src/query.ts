/** A value of a query: `$1` is the first. */
export type QueryValue = string | number

/** The result of a client: its rows, or an object with `rows`. */
export type QueryResult = readonly unknown[] | { readonly rows: readonly unknown[] }

/** Sends one statement with its values and resolves to the result of the client. */
export type Query = (text: string, values: QueryValue[]) => PromiseLike<QueryResult>

/** Sends a statement of the store and gives its rows. */
export async function rowsOf(
  query: Query,
  table: string,
  text: string,
  values: QueryValue[],
): Promise<readonly unknown[]> {
  let result: unknown
  try {
    result = await query(text, values)
  } catch (error) {
    throw explained(error, table)
  }
  const rows = isObject(result) && 'rows' in result ? result.rows : result
  if (Array.isArray(rows)) return rows
  throw noRows()
}

/**
 * Whether a statement that returns the keys of what it changed has changed anything. Some clients resolve to [rows, count],
 * and for a lease that was lost that is not empty either.
 */
export function isChanged(rows: readonly unknown[]): boolean {
  if (rows.every((row) => isObject(row) && 'key' in row)) return rows.length > 0
  throw noRows()
}

function noRows(): Error {
  return new Error(
    '`query` resolved to neither rows nor an object with `rows`. It should resolve to the result of the client, such as (text, values) => pool.query(text, values), with each row as an object.',
  )
}

/** The SQLSTATE of a table that is not there. */
const UNDEFINED_TABLE = '42P01'

function explained(error: unknown, table: string): unknown {
  if (!hasCode(error, UNDEFINED_TABLE)) return error
  return new Error(
    `The table ${table} does not exist. Call migrate(query) before the first delivery, or run the SQL from the documentation.`,
    { cause: error },
  )
}

/** Whether an error has this SQLSTATE, which every client gives as `code`. */
export function hasCode(error: unknown, code: string): boolean {
  return isObject(error) && 'code' in error && error.code === code
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
