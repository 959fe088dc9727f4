import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { dynamodbStore } from '@webhook-receiver/dynamodb'
import { postgresStore, postgresTransactionalStore } from '@webhook-receiver/postgres'
import { redisStore } from '@webhook-receiver/redis'
import { sqliteStore, sqliteTransactionalStore } from '@webhook-receiver/sqlite'

/** Longer than a run, in seconds. */
const RETENTION = 3600

/**
 * The store of a receiver, and `effect(id, transaction)`: the effect of a handler, which nothing can take back, except the
 * transaction that it is in. Without one it is a line of a journal, which the kernel has before the next statement runs.
 */
export async function openStore({ store: name, folder }) {
  const { store, effect } = await OPENERS[name](join(folder, 'webhooks.db'))
  if (effect) return { store, effect }
  const claims = new Map()
  return {
    store: {
      ...store,
      async claim(key, ...rest) {
        const asked = Date.now()
        const claim = await store.claim(key, ...rest)
        if (claim.status === 'claimed') claims.set(key, asked)
        return claim
      },
    },
    effect(id) {
      const line = { id, asked: claims.get(`default:${id}`), at: Date.now() }
      appendFileSync(join(folder, 'journal'), `${JSON.stringify(line)}\n`)
    },
  }
}

// Clients are loaded where they are used, so that each receiver starts without those of others.
const OPENERS = {
  async 'postgres-transactional'() {
    const pool = await connectPool()
    const insert = 'INSERT INTO effects (id, at) VALUES ($1, $2)'
    return {
      store: postgresTransactionalStore({ pool, retention: RETENTION }),
      effect: (id, client) => client.query(insert, [id, Date.now()]),
    }
  },
  async postgres() {
    return { store: postgresStore({ pool: await connectPool(), retention: RETENTION }) }
  },
  async 'sqlite-transactional'(file) {
    const insert = 'INSERT INTO effects (id, at) VALUES (?, ?) RETURNING id'
    return {
      store: sqliteTransactionalStore({ database: await openFile(file), retention: RETENTION }),
      effect: (id, transaction) => void transaction.prepare(insert).all(id, Date.now()),
    }
  },
  async sqlite(file) {
    return { store: sqliteStore({ database: await openFile(file), retention: RETENTION }) }
  },
  async dynamodb() {
    const { connectDynamodb } = await import('@webhook-receiver/checks/dynamodb.mjs')
    const dynamodb = connectDynamodb(process.env.AWS_ENDPOINT_URL_DYNAMODB)
    const update = (input) => dynamodb.updateItem(input)
    return { store: dynamodbStore({ update, retention: RETENTION }) }
  },
  async redis() {
    return { store: redisStore({ send: await openRedis(), retention: RETENTION }) }
  },
}

async function openFile(file) {
  const { openSqlite } = await import('@webhook-receiver/checks/sqlite.mjs')
  return openSqlite(file)
}

async function openRedis() {
  const { Redis } = await import('ioredis')
  const options = { commandTimeout: 1500, maxRetriesPerRequest: 0, retryStrategy: () => 200 }
  const redis = new Redis(process.env.REDIS_URL, options).on('error', () => {})
  return (command) => redis.call(...command)
}

/** Several receivers come and go at once, so that each has few connections. */
async function connectPool() {
  const { openPool } = await import('@webhook-receiver/checks/postgres.mjs')
  const pool = openPool({
    connectionString: process.env.DATABASE_URL,
    connectionTimeoutMillis: 5000,
    max: 12,
  })
  await pool.query('SELECT 1')
  return pool
}
