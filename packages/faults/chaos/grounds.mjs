import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@webhook-receiver/postgres'
import { NotTried } from '@webhook-receiver/tools/not-tried.mjs'
import { SERVICES } from '@webhook-receiver/tools/service-urls.mjs'
import { Redis } from 'ioredis'
import pg from 'pg'
import { readJournal } from './journal.mjs'

/** Stores that live longer than a receiver. */
export const STORES = ['postgres-transactional', 'postgres', 'redis']

/**
 * Where one run leaves what it does: a table or a prefix that nobody else has, and a journal.
 *
 * `settings` is for its receivers, `effects()` gives the traces of all handlers, `remove()` takes
 * everything away.
 */
export async function prepare(store, services = SERVICES) {
  const name = `webhook_chaos_${randomBytes(6).toString('hex')}`
  const folder = mkdtempSync(join(tmpdir(), 'webhook-chaos-'))
  const settings = {
    ...services,
    store,
    table: name,
    prefix: `${name}:`,
    journal: join(folder, 'journal'),
  }
  const removeJournal = () => rmSync(folder, { recursive: true, force: true })
  const service = await GROUNDS[store](settings).catch((cause) => {
    removeJournal()
    throw new NotTried(unprepared(store, settings, cause), { cause })
  })
  return {
    settings,
    effects: service.effects,
    journal: () => readJournal(settings.journal),
    removeJournal,
    async remove() {
      removeJournal()
      await service.remove()
    },
  }
}

function unprepared(store, { redisUrl, databaseUrl }, cause) {
  const [variable, url] = store.startsWith('postgres')
    ? ['DATABASE_URL', databaseUrl]
    : ['REDIS_URL', redisUrl]
  // A URL may hold a password.
  const { host } = new URL(url)
  return `the server at ${host} could not be prepared: ${cause.message || cause.code}. Start it, or set ${variable} to another.`
}

const GROUNDS = {
  'postgres-transactional': onPostgres,
  postgres: onPostgres,
  redis: onRedis,
  naive: onRedis,
  memory: inMemory,
}

/** Effects are in the journal, and there is nothing else to remove. */
async function inMemory({ journal }) {
  return {
    effects: () => readJournal(journal).filter(({ fact }) => fact === 'effect'),
    remove: () => {},
  }
}

async function onPostgres({ databaseUrl, table }) {
  const ask = (text, values) => once(databaseUrl, (client) => client.query(text, values))
  await migrate(ask, { table })
  await ask(
    `CREATE TABLE ${table}_effects (id text, receiver integer, asked double precision, at double precision)`,
  )
  return {
    effects: async () => (await ask(`SELECT id, receiver, asked, at FROM ${table}_effects`)).rows,
    remove: () => ask(`DROP TABLE IF EXISTS ${table}, ${table}_effects`),
  }
}

async function once(databaseUrl, work) {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function onRedis({ redisUrl, prefix }) {
  async function connected(work) {
    const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null })
    let reason
    redis.on('error', (error) => {
      reason = error
    })
    // The client itself says only that the connection is closed.
    await redis.connect().catch((error) => Promise.reject(reason ?? error))
    try {
      return await work(redis)
    } finally {
      redis.disconnect()
    }
  }
  await connected((redis) => redis.ping())
  return {
    effects: () =>
      connected(async (redis) =>
        (await redis.lrange(`${prefix}effects`, 0, -1)).map((line) => JSON.parse(line)),
      ),
    remove: () =>
      connected(async (redis) => {
        for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1000 })) {
          if (keys.length > 0) await redis.unlink(keys)
        }
      }),
  }
}
