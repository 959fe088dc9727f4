import { setTimeout as delay } from 'node:timers/promises'
import { migrate } from '@webhook-receiver/postgres'
import pg from 'pg'

export const pool = new pg.Pool({
  connectionString:
    process.env.DATABASE_URL ?? 'postgres://postgres:postgres@127.0.0.1:5432/postgres',
  connectionTimeoutMillis: 5000,
})
// Without these, a connection that is lost ends the process, whether it is idle or in use.
pool.on('error', (error) => console.error('postgres:', error.message))
pool.on('connect', (client) => client.on('error', () => {}))

/** Runs the work in a transaction: committed when it resolves, rolled back when it rejects. */
export async function transaction<Result>(
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    client.release()
    return result
  } catch (error) {
    await client.query('ROLLBACK').then(
      () => client.release(),
      (broken) => client.release(broken),
    )
    throw error
  }
}

// Text and not jsonb, which has no place for \u0000.
const INBOX = `
  CREATE TABLE IF NOT EXISTS inbox (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    delivery text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    due timestamptz NOT NULL DEFAULT now()
  )`

/**
 * Makes the tables where they are missing, and goes on trying while PostgreSQL is away. Server and worker may do so at
 * the same time.
 */
export async function prepareTables(wanted: () => boolean): Promise<void> {
  while (wanted()) {
    try {
      await migrate((text, values) => pool.query(text, values))
      return await transaction(async (client) => {
        await client.query("SELECT pg_advisory_xact_lock(hashtext('inbox'))")
        await client.query(INBOX)
      })
    } catch (error) {
      console.error('postgres:', error instanceof Error ? error.message : error)
      await delay(1000)
    }
  }
}
