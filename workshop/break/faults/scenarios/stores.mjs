import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { queryPostgres } from '@webhook-receiver/checks/postgres.mjs'
import { startApplication } from '@webhook-receiver/checks/program.mjs'
import { temporaryFolder } from '@webhook-receiver/checks/runs.mjs'
import { openSqlite } from '@webhook-receiver/checks/sqlite.mjs'
import { migrate } from '@webhook-receiver/sqlite'
import { SERVERS } from '../recipes/servers.mjs'

/** Stores that live longer than a receiver. */
export const STORES = [
  ...['postgres-transactional', 'postgres', 'redis'],
  ...['sqlite-transactional', 'sqlite', 'dynamodb'],
]

const RECEIVER = fileURLToPath(new URL('../engine/receiver.mjs', import.meta.url))

/**
 * Of the runs of a handler a share throws. It works up to `dwell` milliseconds before its effect, and again after it. The lease, in
 * seconds, is short, so that what a killed process leaves behind is handled soon.
 */
const SETTINGS = { failures: 0.05, dwell: 4, lease: 2 }

/** A receiver on a store. */
export async function storeScenario({ store, seed, secret, port }, onEnd) {
  const folder = temporaryFolder(join(tmpdir(), 'webhook-faults-'), onEnd)
  const [name, transactional] = store.split('-')
  const server = { redis: 'ownRedis', sqlite: 'file' }[name] ?? name
  const { env } = await SERVERS[server](onEnd, folder)
  const effects = await EFFECTS[name]?.(env, folder)
  let number = 0
  return {
    conversations: 400,
    lease: transactional ? 0 : SETTINGS.lease,
    programs: [
      {
        lives: [150, 500],
        start() {
          const settings = { ...SETTINGS, store, folder, seed, number: number++ }
          return startApplication([RECEIVER, JSON.stringify(settings)], { secret, port, env })
        },
      },
    ],
    effects: transactional ? effects : () => readJournal(folder),
  }
}

function readJournal(folder) {
  const journal = join(folder, 'journal')
  if (!existsSync(journal)) return []
  const lines = readFileSync(journal, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}

/** Where the effects of a transaction are. */
const EFFECTS = {
  async postgres({ DATABASE_URL }) {
    const query = (text) => queryPostgres(text, [], DATABASE_URL)
    await query('CREATE TABLE effects (id text, at double precision)')
    return () => query('SELECT id, at FROM effects')
  },
  async sqlite(_, folder) {
    const database = openSqlite(join(folder, 'webhooks.db'))
    await migrate(database)
    database.exec('CREATE TABLE effects (id TEXT, at REAL)')
    return () => database.prepare('SELECT * FROM effects').all()
  },
}
