import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** The PostgreSQL that the tests use. */
export const DATABASE_URL: string =
  process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test'

/** Why it does not answer. The tests that need it are then skipped; in CI that is a failure. */
export const unreachable: string | undefined = await reasonOfSilence()

/** A table that no other file or run uses. */
export const table: string = `webhook_test_${randomBytes(8).toString('hex')}`

/** Where handlers leave their effects. */
export const effects: string = `${table}_effects`

async function reasonOfSilence(): Promise<string | undefined> {
  try {
    await asServer('SELECT 1')
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message || String(error) : String(error)
  }
}

/** Asks the server on a connection of its own. */
export async function asServer(text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: DATABASE_URL, connectionTimeoutMillis: 2000 })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

export async function dropTables(): Promise<void> {
  if (unreachable === undefined) await asServer(`DROP TABLE IF EXISTS ${table}, ${effects}`)
}
