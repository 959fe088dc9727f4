import { setTimeout as delay } from 'node:timers/promises'
import { migrate, postgresTransactionalStore } from '@webhook-receiver/postgres'
import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'

export const pool = new pg.Pool({
  connectionString:
    process.env.DATABASE_URL ?? 'postgres://postgres:postgres@127.0.0.1:5432/postgres',
  connectionTimeoutMillis: 5000,
  // The worker needs one for each job that runs at once, and a few more.
  max: 20,
})
// Without these two lines, a lost connection ends the process.
pool.on('error', (error) => console.error('postgres:', error.message))
pool.on('connect', (client) => client.on('error', () => {}))

/** Runs the work in a transaction: committed when it resolves, rolled back when it rejects. */
async function transaction<Result>(
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

/** Marks what was handled, in the transaction of its effects. */
export const store = postgresTransactionalStore<pg.PoolClient>({
  transaction,
  query: (client, text, values, name) => client.query({ text, values, name }),
  confirm: (text, values, name) => pool.query({ text, values, name }),
})

/** On standard error, and only what went wrong. */
export const logger = new Logger(() => (level, message) => {
  if (level === 'error' || level === 'warning') console.error(message)
})

/**
 * Creates missing tables, and tries again while PostgreSQL is down. Server and worker can call it at the same
 * time.
 */
export async function prepareTables(wanted: () => boolean): Promise<void> {
  while (wanted()) {
    try {
      await migrate((text, values) => pool.query(text, values))
      return await runMigrations({ pgPool: pool, logger })
    } catch (error) {
      console.error('postgres:', error instanceof Error ? error.message : error)
      await delay(1000)
    }
  }
}
