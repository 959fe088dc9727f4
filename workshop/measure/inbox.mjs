import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { install, versionOf } from '@webhook-receiver/checks/packed/install.mjs'
import { queryPostgres } from '@webhook-receiver/checks/postgres.mjs'
import { temporaryFolder, withCleanup } from '@webhook-receiver/checks/runs.mjs'
import { postgresServer } from '@webhook-receiver/checks/servers.mjs'
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

const FULL = { rounds: 3, deliveries: 1500, sent: 100, waiting: 100_000 }
const SMOKE = { rounds: 1, deliveries: 50, sent: 10, waiting: 100 }

/** Between two deliveries that are sent to an idle engine, in milliseconds. */
const PAUSE = 60

/** The inbox beside the engines that decision 0013 names, on one PostgreSQL, in rounds of which each has all of them. */
export function measure(rounds) {
  const scale = rounds === 1 ? SMOKE : FULL
  return withCleanup(async (onEnd) => {
    const folder = temporaryFolder(join(tmpdir(), 'bench-inbox-'), onEnd)
    await install(folder, PACKAGES)
    const server = await postgresServer()
    onEnd(server.remove)
    await server.start()
    const query = (text) => queryPostgres(text, [], server.url)
    await query('CREATE TABLE effects (id text)')
    const setting = { folder, url: server.url, query, ...scale }
    for (const engine of ENGINES) await (await start(setting, engine)).stop()

    const samples = await sample(setting)
    const versions = await Promise.all(
      Object.keys(PACKAGES).map(async (name) => `${name} ${await versionOf(folder, name)}`),
    )
    console.error(`${server.version}, ${versions.join(', ')}`)
    return rowsOf(samples)
  })
}

const LATENCY = 'ms until it is begun in another process (p50; p99)'

/** The samples of each engine by the name of what was measured. */
async function sample(setting) {
  const samples = new Map(ENGINES.map((engine) => [engine, new Map()]))
  const add = (engine, name, ...values) => {
    console.error(`  ${name}, ${engine}: ${quantile(values, 0.5).toFixed(2)}`)
    const own = samples.get(engine)
    own.set(name, [...(own.get(name) ?? []), ...values])
  }
  const addLatencies = async (state) => {
    for (const engine of shuffled(ENGINES))
      add(engine, `${LATENCY}${state}`, ...(await latencies(setting, engine)))
  }
  for (let round = 1; round <= setting.rounds; round++) {
    console.error(`inbox: round ${round} …`)
    await addLatencies('')
    for (const work of shuffled(WORK)) {
      for (const engine of shuffled(ENGINES)) {
        if (work.keys > 0 && engine === 'pg-boss') continue
        const { stored, worked } = await lifeOf(setting, engine, work)
        add(engine, `stored a second, ${AT_ONCE} at once${keyed(work)}`, stored)
        add(engine, nameOf(work), worked)
      }
    }
  }
  for (const engine of ENGINES) {
    const program = await start(setting, engine)
    const { waiting: count } = setting
    await program.ask({ command: 'postpone', run: ++runs, count, keys: count })
    await program.stop()
  }
  await setting.query('VACUUM (ANALYZE)')
  for (let round = 1; round <= setting.rounds; round++)
    await addLatencies(` beside ${setting.waiting} keys that wait`)
  return samples
}

const keyed = ({ keys }) => (keys > 0 ? ', with keys' : '')

const nameOf = (work) =>
  `handled a second, processes × at once: ${work.processes} × ${work.atOnce}${keyed(work)}`

let runs = 0

/** How many a second are stored, and then handled. */
async function lifeOf(setting, engine, { processes, atOnce, keys }) {
  const { deliveries: count } = setting
  const storing = await start(setting, engine)
  const stored = await storing.ask({ command: 'store', run: ++runs, count, keys })
  await storing.stop()
  const programs = await Promise.all(
    Array.from({ length: processes }, () => start(setting, engine)),
  )
  const began = now()
  await Promise.all(programs.map(({ ask }) => ask({ command: 'work', atOnce })))
  await handled(setting, count)
  const ends = await Promise.all(programs.map(({ ask }) => ask({ command: 'stop' })))
  for (const program of programs) await program.stop()
  const time = Math.max(...ends.map(({ last }) => last)) - began
  return { stored, worked: (count / time) * 1000 }
}

/** From when a delivery is stored to when another process begins it, in milliseconds. */
async function latencies(setting, engine) {
  const worker = await start(setting, engine)
  const sender = await start(setting, engine)
  await worker.ask({ command: 'work', atOnce: 4 })
  const { sent: count } = setting
  const asked = { command: 'trickle', run: ++runs, count, keys: count, pause: PAUSE }
  const stored = await sender.ask(asked)
  await handled(setting, count)
  const begun = new Map((await worker.ask({ command: 'stop' })).begun)
  await worker.stop()
  await sender.stop()
  return stored.map(([id, at]) => begun.get(id) - at)
}

/** Until so many have been handled, each once. */
async function handled({ query }, count) {
  const effects = async (what) => (await query(`SELECT count(${what})::int FROM effects`))[0].count
  while ((await effects('*')) < count) await delay(50)
  const found = await effects('DISTINCT id')
  if (found !== count) throw new Error(`${found} of ${count} were handled.`)
  await query('TRUNCATE effects')
}

function start({ folder, url }, engine) {
  return startServer('inbox/process.mjs', [engine, folder, url])
}

const now = () => Number(process.hrtime.bigint()) / 1e6

function rowsOf(samples) {
  const [own, ...others] = ENGINES
  return [...samples.get(own).keys()].sort().map((name) => {
    const shares = name.startsWith(LATENCY) ? [0.5, 0.99] : [0.5]
    const text = (engine) => {
      const values = samples.get(engine).get(name)
      return values && shares.map((share) => quantile(values, share).toFixed(0)).join('; ')
    }
    const compared = others.filter(text).map((engine) => `\`${engine}\`: ${text(engine)}`)
    return [name, compared.join(', '), text(own)]
  })
}
