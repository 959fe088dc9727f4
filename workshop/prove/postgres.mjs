import pg from 'pg'

export const DATABASE_URL = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test'

/**
 * The rows of one statement, on a separate connection.
 *
 * @template [Row=unknown]
 * @param {string} text
 * @param {readonly unknown[]} [values]
 * @param {string} [url]
 * @returns {Promise<Row[]>}
 */
export async function queryPostgres(text, values = [], url = DATABASE_URL) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text, values)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Why PostgreSQL cannot be used; undefined where it can.
 *
 * @returns {Promise<string | undefined>}
 */
export function postgresProblem(url = DATABASE_URL) {
  return queryPostgres('SELECT 1', [], url).then(
    () => undefined,
    (error) => error.message || error.code,
  )
}
