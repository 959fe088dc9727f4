import { DATABASE_URL, postgresProblem } from '@webhook-receiver/checks/postgres.mjs'
import { REDIS_URL, redisProblem } from '@webhook-receiver/checks/redis.mjs'
import { memoryStore } from '@webhook-receiver/core'
import { migrate, postgresStore } from '@webhook-receiver/postgres'
import { redisStore } from '@webhook-receiver/redis'

const PREFIX = 'webhook-receiver-bench:'
const TABLE = `webhook_receiver_bench_${process.pid}`
const [LEASE, RETENTION] = [30_000, 60_000]

/** Why a store cannot be measured here; undefined where it can. */
export async function problemOf(name, version) {
  if (name.startsWith('redis')) return redisProblem()
  if (name === 'postgres') return postgresProblem()
  if (name === 'sqlite' && parseInt(version, 10) < 24) return 'node:sqlite is experimental there'
  return undefined
}

/**
 * By name: opens a store, and beside it the least that keeps its promise: `claim(key, token)` returns whether the
 * delivery is new, and `mark(key, token)` marks it as done.
 */
export const backends = {
  memory() {
    const marks = new Map()
    return {
      store: memoryStore(),
      claim(key, token) {
        if (marks.has(key)) return false
        marks.set(key, { token, end: performance.now() + LEASE })
        return true
      },
      mark: (key, token) => {
        if (marks.get(key)?.token !== token) throw new Error('The claim was lost.')
        marks.set(key, { token: undefined, end: performance.now() + RETENTION })
      },
      close() {},
    }
  },

  async 'redis, by ioredis'() {
    const { Redis } = await import('ioredis')
    const redis = new Redis(REDIS_URL)
    const send = (command) => redis.call(...command)
    return overRedis(send, () => redis.quit())
  },

  async 'redis, by node-redis'() {
    const { createClient } = await import('redis')
    const client = await createClient({ url: REDIS_URL }).connect()
    return overRedis(
      (command) => client.sendCommand(command),
      () => client.close(),
    )
  },

  async postgres() {
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({ connectionString: DATABASE_URL })
    const query = (text, values) => pool.query(text, values)
    const change = (text, ...values) => query(text, values).then(({ rowCount }) => rowCount === 1)
    await migrate(query, { table: TABLE })
    return {
      store: postgresStore({ query, table: TABLE }),
      claim: (key, token) => change(INSERT, key, token, new Date(Date.now() + LEASE)),
      mark: (key, token) => change(UPDATE, key, token, new Date(Date.now() + RETENTION)),
      async close() {
        await query(`DROP TABLE ${TABLE}`)
        await pool.end()
      },
    }
  },

  async sqlite() {
    const { DatabaseSync } = await import('node:sqlite')
    const { migrate, sqliteStore } = await import('@webhook-receiver/sqlite')
    const database = new DatabaseSync(':memory:')
    await migrate(database, { table: TABLE })
    const [insert, update] = [INSERT, UPDATE].map((text) =>
      database.prepare(text.replaceAll('$', '?')),
    )
    return {
      store: sqliteStore({ database, table: TABLE }),
      claim: (key, token) => insert.run(key, token, Date.now() + LEASE).changes === 1,
      mark: (key, token) => update.run(key, token, Date.now() + RETENTION),
      close: () => database.close(),
    }
  },
}

const INSERT = `INSERT INTO ${TABLE} (key, token, done, expires_at) VALUES ($1, $2, false, $3) ON CONFLICT DO NOTHING`
const UPDATE = `UPDATE ${TABLE} SET done = true, expires_at = $3 WHERE key = $1 AND token = $2 AND NOT done`

function overRedis(send, quit) {
  return {
    store: redisStore({ send, prefix: PREFIX, retention: RETENTION / 1000 }),
    claim: async (key, token) =>
      (await send(['SET', PREFIX + key, token, 'NX', 'PX', String(LEASE)])) === 'OK',
    mark: (key, token) => send(['SET', PREFIX + key, token, 'PX', String(RETENTION)]),
    // Its keys expire by themselves.
    close: quit,
  }
}
