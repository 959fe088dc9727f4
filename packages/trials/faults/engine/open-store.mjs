import { openSqlite } from '@webhook-receiver/checks/sqlite.mjs'
import { dynamodbStore } from '@webhook-receiver/dynamodb'
import { postgresStore, postgresTransactionalStore } from '@webhook-receiver/postgres'
import { redisStore } from '@webhook-receiver/redis'
import { sqliteStore, sqliteTransactionalStore } from '@webhook-receiver/sqlite'

/** Longer than a run; what an interrupted run leaves in Redis expires. In seconds. */
const RETENTION = 3600

const INSERT_EFFECT = 'INSERT INTO effects (id, receiver, asked, at) VALUES (?, ?, ?, ?)'

/** Connections of a receiver: several receivers come and go at once. */
const CONNECTIONS = 12

/**
 * The store of a receiver, as `{ store, transactional, effect }`. `effect(id, transaction)` is the effect of a handler,
 * which nothing can take back, except the transaction that it is in.
 */
export async function openStore(settings, journal) {
  const opened = await OPENERS[settings.store](settings)
  if (opened.transactional) return opened
  const { store, claimedAt } = observe(opened.store, settings.number, journal)
  const inJournal = settings.effects === 'journal' || opened.keep === undefined
  const keep = inJournal ? (effect) => journal({ fact: 'effect', ...effect }) : opened.keep
  const effect = (id) =>
    keep({ id, receiver: settings.number, asked: claimedAt(id), at: Date.now() })
  return { store, transactional: false, effect }
}

const OPENERS = {
  'postgres-transactional': openTransactional,
  postgres: openPostgres,
  redis: (settings) => openRedis(settings, redisStore),
  'sqlite-transactional': openSqliteTransactional,
  sqlite: openSqliteLease,
  dynamodb: openDynamodb,
  naive: (settings) => openRedis(settings, naiveStore),
}

async function openTransactional({ url, table, number }) {
  const pool = await openPool(url)
  const store = postgresTransactionalStore({
    table,
    retention: RETENTION,
    transaction: (work) => inTransaction(pool, work),
    query: (client, text, values, name) => client.query({ text, values, name }),
  })
  const effect = (id, client) => client.query(insertInto(table), [id, number, 0, Date.now()])
  return { store, transactional: true, effect }
}

async function openPostgres({ url, table }) {
  const pool = await openPool(url)
  const query = (text, values, name) => pool.query({ text, values, name })
  const keep = ({ id, receiver, asked, at }) => query(insertInto(table), [id, receiver, asked, at])
  return { store: postgresStore({ table, query, retention: RETENTION }), keep }
}

function openSqliteTransactional({ file, number }) {
  const database = openSqlite(file)
  const store = sqliteTransactionalStore({ database, retention: RETENTION })
  const effect = (id, transaction) => {
    transaction.prepare(`${INSERT_EFFECT} RETURNING id`).all(id, number, 0, Date.now())
  }
  return { store, transactional: true, effect }
}

function openSqliteLease({ file }) {
  const database = openSqlite(file)
  // For the effects; the store does not use it.
  database.exec('PRAGMA busy_timeout = 5000')
  const keep = ({ id, receiver, asked, at }) => {
    database.prepare(`${INSERT_EFFECT} RETURNING id`).all(id, receiver, asked, at)
  }
  return { store: sqliteStore({ database, retention: RETENTION }), keep }
}

async function openDynamodb({ url, table }) {
  // Loaded here, for the same reason as the client of Redis.
  const { connectDynamodb } = await import('@webhook-receiver/checks/dynamodb.mjs')
  const dynamodb = connectDynamodb(url)
  const update = (input) => dynamodb.updateItem(input)
  return { store: dynamodbStore({ update, table, retention: RETENTION }) }
}

async function openRedis({ url, prefix }, createStore) {
  // Loaded here, so that a receiver on PostgreSQL starts without it.
  const { Redis } = await import('ioredis')
  const options = { enableOfflineQueue: false, maxRetriesPerRequest: 0, lazyConnect: true }
  const redis = new Redis(url, options).on('error', () => {})
  await redis.connect()
  const send = (command) => redis.call(...command)
  const keep = (effect) => redis.rpush(`${prefix}effects`, JSON.stringify(effect))
  return { store: createStore({ send, prefix, retention: RETENTION }), keep }
}

/** Notes when each claim was asked for, when a delivery was marked as done, and when a lease was lost. */
function observe(store, receiver, journal) {
  const claims = new Map()
  const note = (fact, key, asked) =>
    journal({ fact, id: key.slice('default:'.length), receiver, asked, at: Date.now() })
  return {
    claimedAt: (id) => claims.get(`default:${id}`),
    store: {
      ...store,
      async claim(key, token, lease) {
        const asked = Date.now()
        const claim = await store.claim(key, token, lease)
        if (claim.status === 'claimed') claims.set(key, asked)
        return claim
      },
      async complete(key, token) {
        const asked = claims.get(key)
        const completed = await store.complete(key, token)
        note(completed ? 'completed' : 'lost', key, asked)
        return completed
      },
      async extend(key, token, lease) {
        const asked = claims.get(key)
        const extended = await store.extend(key, token, lease)
        if (!extended) note('lost', key, asked)
        return extended
      },
    },
  }
}

async function openPool(url) {
  const { default: pg } = await import('pg')
  const connection = { connectionString: url, connectionTimeoutMillis: 5000 }
  const pool = new pg.Pool({ ...connection, max: CONNECTIONS })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  await pool.query('SELECT 1')
  return pool
}

async function inTransaction(pool, work) {
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

function insertInto(table) {
  return `INSERT INTO ${table}_effects (id, receiver, asked, at) VALUES ($1, $2, $3, $4)`
}

/**
 * What is often written by hand, as a control that has to fail: `SET NX` before the work, and whoever finds the key
 * acknowledges. Nothing says whether the work was ever finished, and nothing removes the key again.
 */
function naiveStore({ send, prefix, retention }) {
  return {
    async claim(key) {
      const reply = await send(['SET', prefix + key, '1', 'EX', String(retention), 'NX'])
      return { status: reply === 'OK' ? 'claimed' : 'done' }
    },
    complete: async () => true,
    release: async () => true,
    extend: async () => true,
  }
}
