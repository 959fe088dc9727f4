// What an inbox costs: storing a delivery against a plain INSERT in one run, and how many deliveries workers handle in a second.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readCommandLine, wholeNumber } from '@webhook-receiver/checks/command-line.mjs'
import { DATABASE_URL, queryPostgres } from '@webhook-receiver/checks/postgres.mjs'
import { postgresInbox } from '@webhook-receiver/inbox'
import pg from 'pg'
import { interleaved, quartiles } from './statistics.mjs'

const USAGE = `npm run measure -- inbox [options]
  --deliveries N    how many workers handle in each run (2000)
  --rounds N        how often storing is compared (1000)
  --rows N          how many handled deliveries are in the table before (0)
PostgreSQL is at DATABASE_URL, or at its port on this machine.`

/** Handlers that run at once in each process, and keys of an order. */
const CONCURRENCY = 8
const KEYS = 500

const DATA = { text: 'x'.repeat(400) }

if (process.send) await work(process.argv[2])
else await measure()

async function measure() {
  const { deliveries, rounds, rows } = readCommandLine(USAGE, {
    deliveries: wholeNumber(2000),
    rounds: wholeNumber(1000),
    rows: wholeNumber(0, { least: 0 }),
  })
  const table = `inbox_bench_${process.pid}`
  const { pool, inbox } = open(table)
  await inbox.setup()
  await pool.query(`CREATE TABLE ${table}_plain (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key text NOT NULL UNIQUE, event text, delivery text NOT NULL, received_at timestamptz NOT NULL DEFAULT now())`)
  await pool.query(`CREATE TABLE ${table}_effects (id text)`)
  try {
    if (rows > 0) await fill(pool, table, rows)
    await compare(pool, inbox, table, rounds)
    for (const processes of [1, 4]) await drain(inbox, table, processes, deliveries)
  } finally {
    await pool.query(`DROP TABLE ${table}, ${table}_plain, ${table}_effects`)
    await pool.end()
  }
}

/** Deliveries that were handled before: the plain table gets as many. */
async function fill(pool, table, rows) {
  const content = JSON.stringify({ id: 'filled', data: DATA })
  await pool.query(
    `INSERT INTO ${table} (key, lane, service, event, delivery_id, state, attempts, finished_at, delivery)
    SELECT 'filled:' || n, n % 1000, 'messages', 'e', n, 'done', 1, now(), $2 FROM generate_series(1, $1::integer) AS n`,
    [rows, content],
  )
  await pool.query(
    `INSERT INTO ${table}_plain (key, event, delivery) SELECT 'filled:' || n, 'e', $2 FROM generate_series(1, $1::integer) AS n`,
    [rows, content],
  )
  await pool.query(`ANALYZE ${table}, ${table}_plain`)
}

async function compare(pool, inbox, table, rounds) {
  const receive = inbox.receive('messages')
  const insert = `INSERT INTO ${table}_plain (key, event, delivery) VALUES ($1, $2, $3) ON CONFLICT (key) DO NOTHING`
  let next = 0
  const subjects = {
    insert: (delivery) =>
      pool.query(insert, [delivery.id, delivery.event, JSON.stringify(delivery)]),
    receive: (delivery) => receive(delivery, { verification: { key: delivery.id } }),
  }
  for (const inFlight of [1, 8]) {
    const samples = await interleaved(
      Object.fromEntries(
        Object.entries(subjects).map(([name, subject]) => [
          name,
          async () => {
            const before = performance.now()
            await many(inFlight, inFlight, (number) => {
              const id = `${name}-${inFlight}-${next++}`
              return subject(delivery(id, number))
            })
            return performance.now() - before
          },
        ]),
      ),
      rounds,
    )
    const [plain, own] = [samples.insert, samples.receive].map((times) => quartiles(times).median)
    console.log(
      `stored, ${inFlight} at once: ${own.toFixed(2)} ms, ${(own / plain).toFixed(2)} of a plain INSERT (${plain.toFixed(2)} ms)`,
    )
  }
  await queryPostgres(`DELETE FROM ${table} WHERE state = 'waiting'`)
}

async function drain(inbox, table, processes, deliveries) {
  const receive = inbox.receive('messages')
  await many(deliveries, 8, (number) =>
    receive(delivery(`${processes}-${number}`, number), {
      verification: { key: `${processes}-${number}` },
    }),
  )
  const workers = Array.from({ length: processes }, () =>
    fork(fileURLToPath(import.meta.url), [table]),
  )
  await Promise.all(workers.map((worker) => once(worker, 'message')))
  const before = performance.now()
  for (const worker of workers) worker.send('begin')
  while (
    (await inbox.list({ state: 'waiting', limit: 1 })).length > 0 ||
    (await inbox.list({ state: 'running', limit: 1 })).length > 0
  )
    await delay(20)
  const rate = (deliveries / (performance.now() - before)) * 1000
  for (const worker of workers) worker.kill()
  const [{ count }] = await queryPostgres(`SELECT count(*)::integer FROM ${table}_effects`)
  if (count !== deliveries) throw new Error(`${count} effects of ${deliveries} deliveries.`)
  await queryPostgres(`TRUNCATE ${table}_effects`)
  console.log(
    `handled by ${processes === 1 ? 'one worker' : `${processes} workers`}: ${Math.round(rate)} deliveries a second`,
  )
}

async function work(table) {
  const { inbox } = open(table)
  process.send('ready')
  await once(process, 'message')
  await inbox.work({ concurrency: CONCURRENCY })
}

function open(table) {
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: CONCURRENCY + 4 })
  const insert = `INSERT INTO ${table}_effects (id) VALUES ($1)`
  const handlers = ({ id }, { transaction }) => transaction.query(insert, [id])
  const key = ({ data }) => data.instance_id
  return { pool, inbox: postgresInbox({ pool, table, services: { messages: { handlers, key } } }) }
}

function delivery(id, number) {
  const event = 'message.received'
  const instance_id = `inst_${number % KEYS}`
  return {
    known: true,
    id,
    event,
    created_at: 'now',
    data: { instance_id, event, data: DATA, timestamp: 'now' },
  }
}

async function many(count, inFlight, action) {
  let next = 0
  const lane = async () => {
    while (next < count) await action(next++)
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
}
