import { DATABASE_URL } from '@webhook-receiver/checks/postgres.mjs'
import { REDIS_URL, redisProblem } from '@webhook-receiver/checks/redis.mjs'
import { Redis } from 'ioredis'
import pg from 'pg'

const [LEASE, RETENTION] = [30_000, 60_000]
const INSERT = (table) =>
  `INSERT INTO ${table} (key, token, done, expires_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`
const UPDATE = (table) =>
  `UPDATE ${table} SET done = $3, expires_at = $4 WHERE key = $1 AND token = $2 AND NOT done`
const SEEN = (table) => `SELECT FROM ${table} WHERE key = $1 AND token = $2 AND done`
const SET_OWN = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`

/**
 * By name: opens a store of one of our packages, and beside it the least that keeps its promise with the same client and the same kind
 * of statements. Either `claim(key, token)` gives whether the delivery is new, and `mark(key, token)` marks it as done; or
 * `transact(key, token)` does all of it.
 */
export const BACKENDS = {
  async Redis(load, table) {
    const problem = await redisProblem()
    // Its client would try forever.
    if (problem) throw new Error(problem)
    const { redisStore } = await load('redis')
    const redis = new Redis(REDIS_URL)
    const send = (command) => redis.call(...command)
    const prefix = `${table}:`
    const sha1 = await redis.script('LOAD', SET_OWN)
    return {
      store: redisStore({ send, prefix, retention: RETENTION / 1000 }),
      claim: async (key, token) =>
        (await send(['SET', prefix + key, token, 'NX', 'PX', String(LEASE)])) === 'OK',
      mark: async (key, token) =>
        (await send([
          'EVALSHA',
          sha1,
          '1',
          prefix + key,
          token,
          `done:${token}`,
          `${RETENTION}`,
        ])) === 1,
      // Its keys expire by themselves.
      close: () => redis.quit(),
    }
  },

  PostgreSQL: (load, table) => openPostgres(load, table, 0),
  'PostgreSQL with 1,000,000 rows': (load, table) => openPostgres(load, table, 1_000_000),

  async 'PostgreSQL in a transaction'(load, table) {
    const { pool, query, change, close } = await connectPostgres(load, table, 0)
    const { postgresTransactionalStore } = await load('postgres')
    const effect = (client, key) =>
      client.query({
        text: `INSERT INTO ${table}_effects (key) VALUES ($1)`,
        values: [key],
        name: `${table}_effect`,
      })
    const transaction = async (work) => {
      const client = await pool.connect()
      try {
        await client.query('BEGIN')
        await work(client)
        await client.query('COMMIT')
      } finally {
        client.release()
      }
    }
    return {
      store: postgresTransactionalStore({
        table,
        transaction,
        query: (client, text, values, name) => client.query({ text, values, name }),
        confirm: query,
      }),
      handler: ({ id }, { transaction: client }) => effect(client, id),
      async transact(key, token) {
        let isNew
        await transaction(async (client) => {
          isNew = await change(client, INSERT, key, token, true, after(RETENTION))
          await effect(client, key)
          await change(client, SEEN, key, token)
        })
        return isNew && (await change(pool, SEEN, key, token))
      },
      close,
    }
  },

  'SQLite in a file': (load, table) => openSqlite(load, table, `/tmp/${table}.db`),
  'SQLite in memory': (load, table) => openSqlite(load, table, ':memory:'),
}

async function openPostgres(load, table, rows) {
  const { pool, query, change, close } = await connectPostgres(load, table, rows)
  const { postgresStore } = await load('postgres')
  return {
    store: postgresStore({ query, table }),
    claim: (key, token) => change(pool, INSERT, key, token, false, after(LEASE)),
    mark: (key, token) => change(pool, UPDATE, key, token, true, after(RETENTION)),
    close,
  }
}

/** Connects and, as the first of several processes, makes the tables. */
async function connectPostgres(load, table, rows) {
  const pool = new pg.Pool({ connectionString: DATABASE_URL })
  const query = (text, values, name) => pool.query({ text, values, name })
  const { migrate } = await load('postgres')
  await migrate(query, { table })
  await query(`CREATE TABLE IF NOT EXISTS ${table}_effects (key text)`)
  const { rows: held } = await query(`SELECT count(*)::int AS count FROM ${table}`)
  if (held[0].count < rows) {
    await query(
      `INSERT INTO ${table} SELECT gen_random_uuid(), 'token', true, now() + n * interval '1 second' + interval '1 day'
       FROM generate_series(1, ${rows}) AS n`,
    )
    await query(`VACUUM ANALYZE ${table}`)
  }
  const change = async (client, text, ...values) => {
    const { rowCount } = await client.query({
      text: text(table),
      values,
      name: `${table}_${text.name}`,
    })
    return rowCount === 1
  }
  const close = async () => {
    await query(`DROP TABLE IF EXISTS ${table}, ${table}_effects`)
    await pool.end()
  }
  return { pool, query, change, close }
}

async function openSqlite(load, table, file) {
  const { DatabaseSync } = await import('node:sqlite')
  const { migrate, sqliteStore } = await load('sqlite')
  const [own, plain] = [new DatabaseSync(file), new DatabaseSync(file)]
  for (const database of [own, plain]) await migrate(database, { table })
  plain.exec('PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000')
  const [insert, update] = [INSERT, UPDATE].map((text) =>
    plain.prepare(text(table).replaceAll('$', '?')),
  )
  return {
    store: sqliteStore({ database: own, table }),
    claim: (key, token) => insert.run(key, token, 0, Date.now() + LEASE).changes === 1,
    mark: (key, token) => update.run(key, token, 1, Date.now() + RETENTION).changes === 1,
    close() {
      own.close()
      plain.close()
    },
  }
}

const after = (milliseconds) => new Date(Date.now() + milliseconds)
