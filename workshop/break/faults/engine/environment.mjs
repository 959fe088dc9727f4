import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTable, startDynamodb } from '@webhook-receiver/checks/dynamodb.mjs'
import { queryPostgres } from '@webhook-receiver/checks/postgres.mjs'
import { temporaryFolder } from '@webhook-receiver/checks/runs.mjs'
import { postgresServer, redisServer } from '@webhook-receiver/checks/servers.mjs'
import { openSqlite } from '@webhook-receiver/checks/sqlite.mjs'
import { migrate } from '@webhook-receiver/postgres'
import { migrate as migrateSqlite } from '@webhook-receiver/sqlite'

/** Stores that live longer than a receiver. */
export const STORES = [
  ...['postgres-transactional', 'postgres', 'redis'],
  ...['sqlite-transactional', 'sqlite', 'dynamodb'],
]

/**
 * Starts the server of a store, which ends with the run. Returns the `settings` of the receivers, and `effects()`, which reads what their
 * handlers did.
 */
export async function createEnvironment(store, onEnd) {
  const folder = temporaryFolder(join(tmpdir(), 'webhook-faults-'), onEnd)
  const files = { file: join(folder, 'webhooks.db'), journal: join(folder, 'journal') }
  const { url, effects } = await BACKENDS[store.replace('-transactional', '')](onEnd, files)
  const read = store.endsWith('transactional') ? effects : () => readJournal(files)
  return { settings: { store, url, ...files }, effects: async () => read() }
}

function readJournal({ journal }) {
  if (!existsSync(journal)) return []
  const lines = readFileSync(journal, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}

const BACKENDS = {
  async postgres(onEnd) {
    const url = await started(postgresServer(), onEnd)
    const query = (text, values) => queryPostgres(text, values, url)
    await migrate(query)
    await query('CREATE TABLE effects (id text, at double precision)')
    return { url, effects: () => query('SELECT id, at FROM effects') }
  },
  redis: async (onEnd) => ({ url: await started(redisServer({ persistent: false }), onEnd) }),
  async sqlite(_, { file }) {
    const database = openSqlite(file)
    await migrateSqlite(database)
    database.exec('CREATE TABLE effects (id TEXT, at REAL)')
    return { effects: () => database.prepare('SELECT * FROM effects').all() }
  },
  async dynamodb(onEnd) {
    const { url, stop } = await startDynamodb()
    onEnd(stop)
    await createTable(url)
    return { url }
  },
}

async function started(creating, onEnd) {
  const server = await creating
  onEnd(server.remove)
  await server.start()
  return server.url
}
