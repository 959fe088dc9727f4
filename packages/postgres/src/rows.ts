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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
