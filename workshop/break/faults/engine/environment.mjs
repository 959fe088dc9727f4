import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTable, startDynamodb } from '@webhook-receiver/checks/dynamodb.mjs'
import { DATABASE_URL, queryPostgres } from '@webhook-receiver/checks/postgres.mjs'
import { REDIS_URL, removeKeys, withRedis } from '@webhook-receiver/checks/redis.mjs'
import { temporaryFolder, Unavailable } from '@webhook-receiver/checks/runs.mjs'
import { openSqlite } from '@webhook-receiver/checks/sqlite.mjs'
import { migrate } from '@webhook-receiver/postgres'
import { migrate as migrateSqlite } from '@webhook-receiver/sqlite'

/** Stores that live longer than a receiver. */
export const STORES = [
  ...['postgres-transactional', 'postgres', 'redis'],
  ...['sqlite-transactional', 'sqlite', 'dynamodb'],
]

/**
 * Chooses a table, or a prefix of keys, and a file for the journal, so that runs do not see each other's data. Returns the `settings` of
 * the receivers, and `effects()`, which reads what their handlers did. At the end, the data are removed.
 */
export async function createEnvironment(store, onEnd) {
  const name = `webhook_faults_${randomBytes(6).toString('hex')}`
  const folder = temporaryFolder(join(tmpdir(), 'webhook-faults-'), onEnd)
  const backend = BACKENDS[store.replace('-transactional', '')]
  const settings = {
    ...{ store, table: name, prefix: `${name}:` },
    url: backend.url ?? (await backend.start?.(onEnd)),
    file: join(folder, 'webhooks.db'),
    journal: join(folder, 'journal'),
  }
  await backend.create(settings).catch((cause) => {
    // A URL may hold a password.
    const { host } = new URL(settings.url)
    const problem = `the server at ${host} cannot be used: ${cause.message || cause.code}.`
    throw new Unavailable(`${problem} Start it, or set ${backend.variable} to another.`, { cause })
  })
  onEnd(() => backend.remove?.(settings))
  const read = store.endsWith('transactional') ? backend.effects : readJournal
  return { settings, effects: async () => read(settings) }
}

function readJournal({ journal }) {
  if (!existsSync(journal)) return []
  const lines = readFileSync(journal, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}

const redis = {
  variable: 'REDIS_URL',
  url: REDIS_URL,
  create: ({ url }) => withRedis((client) => client.ping(), url),
  remove: ({ url, prefix }) => removeKeys(prefix, url),
}

const BACKENDS = {
  postgres: {
    variable: 'DATABASE_URL',
    url: DATABASE_URL,
    async create({ url, table }) {
      await migrate((text, values) => queryPostgres(text, values, url), { table })
      await queryPostgres(`CREATE TABLE ${table}_effects (id text, at double precision)`, [], url)
    },
    effects: ({ url, table }) => queryPostgres(`SELECT id, at FROM ${table}_effects`, [], url),
    remove: ({ url, table }) =>
      queryPostgres(`DROP TABLE IF EXISTS ${table}, ${table}_effects`, [], url),
  },
  redis,
  naive: redis,
  /** The folder of the run is removed with its file. */
  sqlite: {
    create: ({ file }) =>
      withSqlite(file, async (database) => {
        await migrateSqlite(database)
        database.exec('CREATE TABLE effects (id TEXT, at REAL)')
      }),
    effects: ({ file }) =>
      withSqlite(file, (database) => database.prepare('SELECT * FROM effects').all()),
  },
  /** The server ends with the run, and all that is in it. */
  dynamodb: {
    async start(onEnd) {
      const { url, stop } = await startDynamodb()
      onEnd(stop)
      return url
    },
    create: ({ url, table }) => createTable(url, table),
  },
}

async function withSqlite(file, work) {
  const database = openSqlite(file)
  try {
    return await work(database)
  } finally {
    database.close()
  }
}
