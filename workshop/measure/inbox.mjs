import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { install, versionOf } from '@webhook-receiver/checks/packed/install.mjs'
import { withCleanup } from '@webhook-receiver/checks/runs.mjs'
import { postgresServer } from '@webhook-receiver/checks/servers.mjs'
import pg from 'pg'
import { AT_ONCE } from './inbox/engines.mjs'
import { startServer } from './processes.mjs'
import { quantile, shuffled } from './statistics.mjs'

/** pg-boss 12 needs Node 22. */
const PACKAGES = { 'graphile-worker': '^0.17.3', 'pg-boss': '^10.4.2', pg: '^8.23.1' }

const ENGINES = ['inbox', 'graphile-worker', 'pg-boss']

/** How deliveries are handled: by so many processes, each so many at once. `keys` share an order, which pg-boss has none of. */
const WORK = [0, 100].flatMap((keys) =>
  [
    [1, 1],
    [1, 4],
    [1, 8],
    [4, 4],
  ].map(([processes, atOnce]) => ({ processes, atOnce, keys })),
)

const FULL = { rounds: 3, deliveries: 1500, sent: 100, idle: 5000, waiting: 100_000 }
const SMOKE = { rounds: 1, deliveries: 50, sent: 10, idle: 500, waiting: 100 }

/** Between two deliveries that are sent to an idle engine, and until an engine is idle, in milliseconds. */
const PAUSE = 60
const SETTLE = 2000

/** The inbox beside the engines that decision 0013 names, on one PostgreSQL, in rounds of which each has all of them. */
export function measure(rounds) {
  const scale = rounds === 1 ? SMOKE : FULL
  return withCleanup(async (onEnd) => {
    const folder = await mkdtemp(join(tmpdir(), 'bench-inbox-'))
    onEnd(() => rm(folder, { recursive: true }))
    await install(folder, PACKAGES)
    const server = await postgresServer()
    onEnd(server.remove)
    await server.start()
    const client = new pg.Client({ connectionString: server.url })
    client.on('error', () => {})
    await client.connect()
    onEnd(() => client.end())
    await client.query('CREATE TABLE effects (id text)')
    const setting = { folder, url: server.url, ...scale, ...createMeter(client) }
    for (const engine of ENGINES) await (await start(setting, engine)).stop()

    const samples = await sample(setting)
    const versions = await Promise.all(
      Object.keys(PACKAGES).map(async (name) => `${name} ${await versionOf(folder, name)}`),
    )
    console.error(`${server.version}, ${versions.join(', ')}`)
    return rowsOf(samples, scale)
  })
}

/** The samples of each engine by the name of what was measured. */
async function sample(setting) {
  const samples = new Map(ENGINES.map((engine) => [engine, new Map()]))
  const add = (engine, name, ...values) => {
    console.error(`  ${name}, ${engine}: ${quantile(values, 0.5).toFixed(2)}`)
    const own = samples.get(engine)
    own.set(name, [...(own.get(name) ?? []), ...values])
  }
  const quietly = async (engine, state) => {
    add(engine, `idle, ${state}`, await idleTime(setting, engine))
    add(engine, `latency, ${state}`, ...(await latencies(setting, engine)))
  }
  for (let round = 1; round <= setting.rounds; round++) {
    console.error(`inbox: round ${round} …`)
    for (const engine of shuffled(ENGINES)) await quietly(engine, 'empty')
    for (const work of shuffled(WORK)) {
      for (const engine of shuffled(ENGINES)) {
        if (work.keys > 0 && engine === 'pg-boss') continue
        const figures = await lifeOf(setting, engine, work)
        for (const [name, value] of Object.entries(figures)) {
          add(engine, name === 'worked' ? nameOf(work) : `${name}${keyed(work)}`, value)
        }
      }
    }
  }
  for (const engine of ENGINES) {
    const program = await start(setting, engine)
    const { waiting: count } = setting
    await program.ask({ command: 'postpone', run: ++runs, count, keys: count })
    await program.stop()
  }
  await setting.vacuum()
  for (let round = 1; round <= setting.rounds; round++) {
    for (const engine of shuffled(ENGINES)) await quietly(engine, 'waiting')
  }
  return samples
}

const keyed = ({ keys }) => (keys > 0 ? ', with keys' : '')

const nameOf = (work) =>
  `worked by ${work.processes === 1 ? '' : `${work.processes} processes, each `}${work.atOnce} at once${keyed(work)}`

let runs = 0

/** What it takes to store deliveries and then to handle them. */
async function lifeOf(setting, engine, { processes, atOnce, keys }) {
  const { deliveries: count, effects, usage } = setting
  const before = await usage()
  const storing = await start(setting, engine)
  const { reply: stored, cpu } = await storing.ask({ command: 'store', run: ++runs, count, keys })
  await storing.stop()
  const programs = await Promise.all(
    Array.from({ length: processes }, () => start(setting, engine)),
  )
  const began = now()
  await Promise.all(programs.map(({ ask }) => ask({ command: 'work', atOnce })))
  while ((await effects()) < count) await delay(50)
  const ends = await Promise.all(programs.map(({ ask }) => ask({ command: 'stop' })))
  for (const program of programs) await program.stop()
  const handled = await effects({ distinct: true })
  if (handled !== count) throw new Error(`${engine} handled ${handled} of ${count}.`)
  const after = await usage()
  const each = (value) => value / count
  return {
    stored,
    worked: (count / (Math.max(...ends.map(({ reply }) => reply.last)) - began)) * 1000,
    wal: each(after.wal - before.wal),
    dead: each(after.dead - before.dead),
    server: each(after.cpu - before.cpu),
    node: each(ends.reduce((sum, end) => sum + end.cpu, cpu)),
  }
}

/** From when a delivery is stored to when another process begins it, in milliseconds. */
async function latencies(setting, engine) {
  const worker = await start(setting, engine)
  const sender = await start(setting, engine)
  await worker.ask({ command: 'work', atOnce: 4 })
  const run = ++runs
  const asked = { command: 'trickle', run, count: setting.sent, keys: setting.sent, pause: PAUSE }
  const { reply: stored } = await sender.ask(asked)
  while ((await setting.effects()) < setting.sent) await delay(50)
  const { reply } = await worker.ask({ command: 'stop' })
  await worker.stop()
  await sender.stop()
  await setting.effects({ distinct: true })
  const begun = new Map(reply.begun)
  return stored.map(([id, at]) => begun.get(id) - at)
}

/** The milliseconds that the server works in a second for a worker that finds nothing. */
async function idleTime(setting, engine) {
  const worker = await start(setting, engine)
  await worker.ask({ command: 'work', atOnce: 4 })
  await delay(SETTLE)
  const before = await setting.clients()
  await delay(setting.idle)
  const time = (await setting.clients()) - before
  await worker.ask({ command: 'stop' })
  await worker.stop()
  return (time / setting.idle) * 1000
}

async function start({ folder, url, alone }, engine) {
  const program = await startServer('inbox/process.mjs', [engine, folder, url])
  return {
    ask: program.ask,
    async stop() {
      await program.stop()
      // PostgreSQL adds its counts when a connection ends.
      while (!(await alone())) await delay(20)
    },
  }
}

/** What a server uses, read on one connection. */
function createMeter(client) {
  const value = async (text) => Number((await client.query(text)).rows[0].value)
  const others =
    "FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
  return {
    vacuum: () => client.query('VACUUM (ANALYZE)'),
    alone: async () => (await value(`SELECT count(*) AS value ${others}`)) === 0,
    /** How many there are; the distinct ones only for the last time. */
    async effects({ distinct = false } = {}) {
      if (!distinct) return value('SELECT count(*) AS value FROM effects')
      const found = await value('SELECT count(DISTINCT id) AS value FROM effects')
      await client.query('TRUNCATE effects')
      return found
    },
    /** The CPU time of all clients that are connected, in milliseconds. */
    async clients() {
      const { rows } = await client.query(`SELECT pid ${others}`)
      return rows.reduce((sum, { pid }) => sum + timeOf(pid), 0)
    },
    /** In bytes, rows that were changed or deleted, and milliseconds of CPU time, also of processes that have ended. */
    async usage() {
      const postmaster = Number(statOf(await value('SELECT pg_backend_pid() AS value'))[1])
      const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
      const alive = [postmaster, ...children.trim().split(' ')]
      const [user, system] = statOf(postmaster).slice(13, 15).map(Number)
      return {
        wal: await value("SELECT pg_current_wal_insert_lsn() - '0/0' AS value"),
        dead: await value('SELECT sum(n_tup_upd + n_tup_del) AS value FROM pg_stat_user_tables'),
        cpu: alive.reduce((sum, pid) => sum + timeOf(pid), (user + system) * TICK),
      }
    },
  }
}

/** Of the clock of Linux, in milliseconds. */
const TICK = 10

/** The fields behind the name of a process: its parent is the second, and its children's times are the 14th and 15th. */
function statOf(pid) {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
}

/** CPU time in milliseconds; 0 once it has ended. */
function timeOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return 0
  }
}

const now = () => Number(process.hrtime.bigint()) / 1e6

function rowsOf(samples, { waiting }) {
  const median = (values) => quantile(values, 0.5)
  const whole = (values) => Math.round(median(values)).toLocaleString('en')
  const short = (values) => median(values).toFixed(2)
  const latency = (values) =>
    [0.5, 0.99].map((share) => `${quantile(values, share).toFixed(0)} ms`).join(', ')
  const shown = [
    [`stored a second, ${AT_ONCE} at once`, 'stored', whole],
    ['stored a second, with keys', 'stored, with keys', whole],
    ...WORK.map((work) => [
      `${nameOf(work).replace('worked', 'worked a second')}`,
      nameOf(work),
      whole,
    ]),
    ['begun in another process (p50, p99)', 'latency, empty', latency],
    [`the same beside ${waiting.toLocaleString('en')} keys that wait`, 'latency, waiting', latency],
    ['ms of the server per idle second', 'idle, empty', short],
    ['the same beside those that wait', 'idle, waiting', short],
    ...['', ', with keys'].flatMap((kind) => [
      [`bytes of WAL per delivery${kind}`, `wal${kind}`, whole],
      [`dead rows per delivery${kind}`, `dead${kind}`, short],
      [`ms of CPU per delivery${kind}, server`, `server${kind}`, short],
      [`ms of CPU per delivery${kind}, Node`, `node${kind}`, short],
    ]),
  ]
  const [own, ...others] = ENGINES
  return shown.map(([what, name, text]) => {
    const of = (engine) => samples.get(engine).get(name)
    const compared = others.filter(of).map((engine) => `\`${engine}\`: ${text(of(engine))}`)
    return [what, compared.join('; '), text(of(own))]
  })
}
