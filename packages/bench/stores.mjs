import { randomUUID } from 'node:crypto'
import { DATABASE_URL } from '@webhook-receiver/checks/postgres.mjs'
import { REDIS_URL, redisProblem } from '@webhook-receiver/checks/redis.mjs'
import { createDeliveryHandler, memoryStore } from '@webhook-receiver/core'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import { postgresStore, migrate as toPostgres } from '@webhook-receiver/postgres'
import { redisStore } from '@webhook-receiver/redis'
import { sqliteStore, migrate as toSqlite } from '@webhook-receiver/sqlite'
import { Redis } from 'ioredis'
import pg from 'pg'
import { memoryInUse } from './memory.mjs'
import { interleaved, relative } from './statistics.mjs'

const PREFIX = 'webhook-receiver-bench:'
const TABLE = `webhook_receiver_bench_${process.pid}`
const [LEASE, RETENTION] = [30_000, 60_000]
const INSERT = `INSERT INTO ${TABLE} (key, token, done, expires_at) VALUES ($1, $2, false, $3) ON CONFLICT DO NOTHING`
const UPDATE = `UPDATE ${TABLE} SET done = true, expires_at = $3 WHERE key = $1 AND token = $2 AND NOT done`

/**
 * By name: opens a store, and beside it the least that keeps its promise: `claim(key, token)` gives whether the
 * delivery is new, and `mark(key, token)` marks it as done.
 */
const BACKENDS = {
  memory() {
    const marks = new Map()
    return {
      store: memoryStore(),
      claim: (key, token) =>
        !marks.has(key) && marks.set(key, { token, end: performance.now() + LEASE }) === marks,
      mark: (key) => marks.set(key, { end: performance.now() + RETENTION }),
      close() {},
    }
  },

  async Redis() {
    const problem = await redisProblem()
    // Its client would try forever.
    if (problem) throw new Error(problem)
    const redis = new Redis(REDIS_URL)
    const send = (command) => redis.call(...command)
    return {
      store: redisStore({ send, prefix: PREFIX, retention: RETENTION / 1000 }),
      claim: async (key, token) =>
        (await send(['SET', PREFIX + key, token, 'NX', 'PX', String(LEASE)])) === 'OK',
      mark: (key, token) => send(['SET', PREFIX + key, token, 'PX', String(RETENTION)]),
      // Its keys expire by themselves.
      close: () => redis.quit(),
    }
  },

  async PostgreSQL() {
    const pool = new pg.Pool({ connectionString: DATABASE_URL })
    const query = (text, values) => pool.query(text, values)
    await toPostgres(query, { table: TABLE })
    const change = async (text, key, token, time) =>
      (await query(text, [key, token, new Date(Date.now() + time)])).rowCount === 1
    return {
      store: postgresStore({ query, table: TABLE }),
      claim: (key, token) => change(INSERT, key, token, LEASE),
      mark: (key, token) => change(UPDATE, key, token, RETENTION),
      async close() {
        await query(`DROP TABLE ${TABLE}`)
        await pool.end()
      },
    }
  },

  async 'SQLite in memory'() {
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(':memory:')
    await toSqlite(database, { table: TABLE })
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

/** The CPU time of a delivery with each store, against one claim and one mark with the same client. */
export async function measure(rounds) {
  const rows = [await heapOfMemoryStore()]
  for (const [name, open] of Object.entries(BACKENDS)) {
    console.error(`stores: ${name} …`)
    const result = await costOf(open, rounds).catch(({ message }) => `not measured: ${message}`)
    rows.push([`store: ${name}`, 'one claim and one mark', result])
  }
  return rows
}

async function costOf(open, rounds) {
  const { store, claim, mark, close } = await open()
  const plain = () => cpuOf((delivery) => leastOf(delivery, claim, mark))
  const handle = createDeliveryHandler(async () => {}, { store })
  // So many rounds, until the cost no longer falls.
  const samples = await interleaved(
    { plain, control: plain, store: () => cpuOf(handle) },
    rounds,
    rounds,
  )
  await close()
  return relative(samples, 'store')
}

/** Only what is a promise is awaited, as the receiver does. */
async function leastOf({ id }, claim, mark) {
  const token = randomUUID()
  const claiming = claim(id, token)
  const isNew = claiming instanceof Promise ? await claiming : claiming
  if (!isNew) throw new Error('A new delivery was not claimed.')
  const marking = mark(id, token)
  if (marking instanceof Promise) await marking
  return 'completed'
}

/** The µs of CPU for each of a thousand deliveries, ten at a time. */
async function cpuOf(handle) {
  const deliveries = Array.from({ length: 1000 }, newDelivery)
  const before = process.cpuUsage()
  const work = async () => {
    for (let next = deliveries.pop(); next; next = deliveries.pop()) {
      if ((await handle(next)) !== 'completed') throw new Error('A delivery was not handled.')
    }
  }
  await Promise.all(Array.from({ length: 10 }, work))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function newDelivery() {
  return { ...sampleDelivery('message.received', { id: newId() }), known: true }
}

/** As it comes out of a body: randomUUID alone returns a string of twenty pieces. */
function newId() {
  return JSON.parse(JSON.stringify(randomUUID()))
}

/** What `maxEntries` of memoryStore promises, in bytes. */
const BOUND = 300

async function heapOfMemoryStore() {
  const ids = 1_000_000
  const store = memoryStore({ maxEntries: ids })
  const before = memoryInUse().heap
  const fill = async (count) => {
    for (let filled = 0; filled < count; filled++) {
      const [key, token] = [`default:${newId()}`, randomUUID()]
      await store.claim(key, token, 30)
      await store.complete(key, token)
    }
    return Math.round((memoryInUse().heap - before) / ids)
  }
  const each = await fill(ids)
  // The table grows once more while others take the places of some.
  const most = await fill(ids / 10)
  // Used once more, so that it is not collected before.
  await store.release('any', 'token')
  if (most > BOUND) throw new Error(`An id of the memory store takes ${most} B: too much.`)
  return [`heap for each of ${ids.toLocaleString('en')} ids in the memory store`, '', `${each} B`]
}
