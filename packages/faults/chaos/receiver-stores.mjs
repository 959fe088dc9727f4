import { memoryStore } from '@webhook-receiver/core/handling'
import { postgresStore, postgresTransactionalStore } from '@webhook-receiver/postgres'
import { redisStore } from '@webhook-receiver/redis'
import { naiveStore } from './naive-store.mjs'

/** Long enough for the run; what an interrupted one leaves in Redis is gone after it. In seconds. */
const RETENTION = 3600

/** Connections of a receiver: several of them come and go at once. */
const CONNECTIONS = 12

/**
 * What a receiver keeps its deliveries in, as `{ store, transactional, effect }`. `effect(id, transaction)`
 * leaves a trace of a handler, which cannot be taken back but by the transaction that it is in.
 */
export async function openStore(settings, journal) {
  const opened = await OPENERS[settings.store](settings)
  if (opened.transactional) return opened
  const { store, claimedAt } = watched(opened.store, settings.number, journal)
  const inJournal = settings.effects === 'journal' || opened.keep === undefined
  const keep = inJournal ? (trace) => journal({ fact: 'effect', ...trace }) : opened.keep
  const effect = (id) =>
    keep({ id, receiver: settings.number, asked: claimedAt(id), at: Date.now() })
  return { store, transactional: false, effect }
}

const OPENERS = {
  'postgres-transactional': openTransactional,
  postgres: openPostgres,
  redis: (settings) => openRedis(settings, redisStore),
  naive: (settings) => openRedis(settings, naiveStore),
  memory: () => ({ store: memoryStore() }),
}

async function openTransactional({ databaseUrl, table, number }) {
  const pool = await openPool(databaseUrl)
  const store = postgresTransactionalStore({
    table,
    retention: RETENTION,
    transaction: (work) => inTransaction(pool, work),
    query: (client, text, values) => client.query(text, values),
  })
  const effect = (id, client) => client.query(insertInto(table), [id, number, 0, Date.now()])
  return { store, transactional: true, effect }
}

async function openPostgres({ databaseUrl, table }) {
  const pool = await openPool(databaseUrl)
  const query = (text, values) => pool.query(text, values)
  const keep = ({ id, receiver, asked, at }) => query(insertInto(table), [id, receiver, asked, at])
  return { store: postgresStore({ table, query, retention: RETENTION }), keep }
}

async function openRedis({ redisUrl, prefix }, createStore) {
  // Loaded here, so that a receiver on PostgreSQL starts without it.
  const { Redis } = await import('ioredis')
  const redis = new Redis(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    lazyConnect: true,
  })
  redis.on('error', () => {})
  await redis.connect()
  const send = (command) => redis.call(...command)
  const keep = (trace) => redis.rpush(`${prefix}effects`, JSON.stringify(trace))
  return { store: createStore({ send, prefix, retention: RETENTION }), keep }
}

/** Notes when each claim was asked for, when a delivery was marked as done, and when a lease was lost. */
function watched(store, receiver, journal) {
  const claims = new Map()
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

  function note(fact, key, asked) {
    journal({ fact, id: key.slice('default:'.length), receiver, asked, at: Date.now() })
  }
}

async function openPool(databaseUrl) {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: CONNECTIONS,
    connectionTimeoutMillis: 5000,
  })
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
