import { setTimeout as delay } from 'node:timers/promises'
import { postgresInbox } from '@webhook-receiver/inbox'
import pg from 'pg'
import { handle } from './handlers.js'

const pool = new pg.Pool({
  connectionString:
    process.env.DATABASE_URL ?? 'postgres://postgres:postgres@127.0.0.1:5432/postgres',
  connectionTimeoutMillis: 5000,
  // Otherwise pg waits for a host that has disappeared until the operating system gives up.
  query_timeout: 60_000,
  // The worker needs one for each handler that runs at once, and a few more.
  max: 20,
})

export const inbox = postgresInbox({
  pool,
  attempts: 5,
  // Without a limit, a handler that hangs would hold up its conversation for ever.
  timeout: 25,
  services: {
    messages: {
      async handlers(delivery, context) {
        await handle(delivery, context)
        const { id, event, data } = delivery
        console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
      },
      // The contract does not name conversations: here each instance is one. Return a finer name if your deliveries have one.
      key: ({ data }) => data.instance_id,
    },
  },
})

/** Creates the table, and tries again while PostgreSQL is down. Server and worker can call it at the same time. */
export async function prepare(wanted: () => boolean): Promise<void> {
  while (wanted()) {
    try {
      return await inbox.setup()
    } catch (error) {
      console.error('postgres:', error instanceof Error ? error.message : error)
      await delay(1000)
    }
  }
}

export const close = () => pool.end()
