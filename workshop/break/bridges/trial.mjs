// The contract of a bridge to a queue: what its page promises, with kills.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { changedBlock } from '@webhook-receiver/checks/documents/code-blocks.mjs'
import { freePorts } from '@webhook-receiver/checks/free-ports.mjs'
import { startApplication, startProgram } from '@webhook-receiver/checks/program.mjs'
import { temporaryFolder, withCleanup } from '@webhook-receiver/checks/runs.mjs'
import { TcpProxy } from '@webhook-receiver/checks/tcp-proxy.mjs'
import { send } from '@webhook-receiver/checks/wire.mjs'
import { signDelivery } from '@webhook-receiver/core/testing'
import { github, stripe } from '@webhook-receiver/schemes'

const GUIDE = new URL('../../../docs/guides/queues.md', import.meta.url)
const BREAK = fileURLToPath(new URL('../', import.meta.url))
const RECEIVER = fileURLToPath(new URL('../guide-receiver.mjs', import.meta.url))
const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url))
const SECRET = 'whsec_of_the_bridges_to_queues'

/** How long something that has to happen may take, in milliseconds: only what never happens takes longer. */
const PATIENCE = 120_000

/**
 * What was seen: a figure or a word for each promise, and what was broken.
 *
 * @typedef {{ name: string, saw: Record<string, string>, problems: readonly string[] }} Tried
 *
 * @param {import('./list.mjs').Bridge} bridge
 * @param {{ folder?: string, deliveries?: number }} [options] a folder in which its packages are installed
 * @returns {Promise<Tried>}
 */
export function tryBridge(bridge, { folder: installed = BREAK, deliveries = 40 } = {}) {
  return withCleanup(async (onEnd) => {
    const folder = temporaryFolder(join(installed, '.bridges-'), onEnd)
    await writeBlocks(folder, bridge)
    const engine = await bridge.start()
    onEnd(() => engine.remove())
    await engine.start()
    const proxy = await new TcpProxy(engine.url).open()
    onEnd(() => proxy.cut())
    const [port] = await freePorts(1)

    const tsx = ['--import', import.meta.resolve('tsx')]
    const start = { cwd: folder }
    const lines = []
    const alive = []
    const stopAll = () => Promise.all(alive.splice(0).map((program) => program.stop('SIGKILL')))
    onEnd(stopAll)
    let deaths = 0
    const setting = {
      bridge,
      engine,
      proxy,
      deliveries,
      /** The ids that handlers have printed, of all workers. */
      handled: () => lines.flatMap((worker) => idsIn(worker.output().stdout)),
      printed: () => lines.map((worker) => worker.output().stdout).join(''),
      dead: () => deaths,
      send: async (sent) => (await send(port, sent)).outcome,
      async startReceiver() {
        const env = bridge.env({ ...engine, url: proxy.url })
        const own = [join(folder, `${bridge.name}.ts`), SECRET, 'stripe', 'github']
        const args = [...tsx, RECEIVER, ...own]
        const receiver = await startApplication(args, { ...start, env, port })
        alive.push(receiver)
        return receiver
      },
      async startWorker() {
        const args = [...tsx, WORKER, folder, bridge.name]
        const env = bridge.env(engine)
        const worker = startProgram(process.execPath, args, { ...start, env, fourth: 'ipc' })
        alive.push(worker)
        lines.push(worker)
        worker.child.on('message', ({ dead }) => {
          deaths = dead ?? deaths
        })
        await worker.printed(/^Working/m)
        return worker
      },
    }
    const saw = {}
    const problems = []
    for (const [promise, keep] of Object.entries(PROMISES)) {
      const { seen, broken } = await keep(setting)
      await stopAll()
      saw[promise] = broken ? `BROKEN: ${seen}` : seen
      if (broken) problems.push(`${promise}: ${seen}`)
    }
    return { name: bridge.name, saw, problems }
  })
}

/** What a promise has started is killed behind it. */
const PROMISES = {
  async 'one job, with its type'(setting) {
    const { handled, printed, send, startReceiver, startWorker, deliveries } = setting
    await startReceiver()
    const sent = await several(deliveries)
    // What is too busy is sent again, as a service does.
    const accept = (one) => accepted(send, one)
    await Promise.all(sent.flatMap((one) => [accept(one), accept(one), accept(one)]))
    await startWorker()
    await until(() => sent.every(({ id }) => handled().includes(id)))
    for (const one of sent) await accept(one)
    const [last] = await several(1)
    await accept(last)
    await until(() => handled().includes(last.id))
    const text = printed()
    const typed = sent.filter(({ line }) => text.includes(line)).length
    const times = handled().filter((id) => sent.some((one) => one.id === id)).length
    return {
      seen: `${times} runs of ${sent.length} deliveries in ${sent.length * 4} copies, ${typed} typed`,
      broken: times !== sent.length || typed !== sent.length,
    }
  },

  async 'nothing lost'({ handled, send, startReceiver, startWorker, engine, deliveries }) {
    const programs = { receiver: await startReceiver(), worker: await startWorker() }
    const starts = { receiver: startReceiver, worker: startWorker }
    const sent = await several(deliveries, { takes: 20 })
    const part = Math.ceil(sent.length / 6)
    const sending = (async () => {
      for (const one of sent) await accepted(send, one)
    })()
    let kills = 0
    const count = () => sent.filter(({ id }) => handled().includes(id)).length
    for (const killed of ['worker', 'receiver', 'engine', 'worker', 'receiver']) {
      const middle = Math.min(count() + part, sent.length)
      await Promise.race([until(() => count() >= middle), delay(3000)])
      if (killed === 'engine' && engine.isShared) continue
      await (programs[killed] ?? engine).stop('SIGKILL')
      if (killed === 'engine') await engine.start()
      else programs[killed] = await starts[killed]()
      kills += 1
    }
    await sending
    await until(() => count() === sent.length).catch(() => {})
    const lost = sent.length - count()
    const again = handled().filter((id) => sent.some((one) => one.id === id)).length - sent.length
    // A job whose worker or engine was killed behind its effect.
    const most = kills * 8
    return {
      seen: `${lost} of ${sent.length} lost, ${again} twice, ${kills} kills`,
      broken: lost > 0 || again > most,
    }
  },

  async '503 while it is away'({ handled, send, startReceiver, startWorker, proxy }) {
    await startReceiver()
    const [before, during] = await several(2)
    await accepted(send, before)
    await proxy.cut()
    const statuses = new Set([await send(during), await send(during)])
    await proxy.open()
    await accepted(send, during)
    await startWorker()
    await until(() => [before, during].every(({ id }) => handled().includes(id)))
    return { seen: [...statuses].join(', '), broken: statuses.size > 1 || !statuses.has(503) }
  },

  async 'dead letters seen'({ handled, send, startReceiver, startWorker, dead }) {
    await startReceiver()
    await startWorker()
    const [poison] = await several(1, { fails: 1000 })
    const [slow] = await several(1, { fails: 1 })
    await accepted(send, poison)
    await accepted(send, slow)
    await until(() => dead() > 0 && handled().includes(slow.id))
    return { seen: `${dead()}`, broken: dead() !== 1 || handled().includes(poison.id) }
  },

  async order({ bridge, handled, send, startReceiver, startWorker }) {
    if (!bridge.ordered) return { seen: 'none', broken: false }
    await startReceiver()
    const sent = await several(10)
    const [failing] = await several(1, { fails: 2 })
    sent.splice(3, 0, failing)
    for (const one of sent) await accepted(send, one)
    await startWorker()
    await until(() => sent.every(({ id }) => handled().includes(id)))
    const order = handled().filter((id) => sent.some((one) => one.id === id))
    const kept = order.join() === sent.map(({ id }) => id).join()
    return { seen: kept ? 'kept over two failures' : 'not kept', broken: !kept }
  },
}

/** The blocks of the guide as files. */
async function writeBlocks(folder, { name, changes, once }) {
  const page = readFileSync(GUIDE, 'utf8')
  const code = changedBlock(page, `${name}.ts`, changes)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, `${name}.ts`), code)
  await writeFile(join(folder, 'run.ts'), withStore(changedBlock(page, 'run.ts'), once))
}

/** With a store for both handlers, as the guide says of queues that add a second job. */
function withStore(code, once) {
  if (once === 'engine') return code
  const added = code
    .replace('scheme: stripe }', 'scheme: stripe, store }')
    .replace('scheme: github }', "scheme: github, store, duplicates: 'body' }")
  if (added.length < code.length + 20) throw new Error('The handlers of the guide have changed.')
  return `import { openSqlite } from '@webhook-receiver/checks/sqlite.mjs'
import { migrate, sqliteTransactionalStore } from '@webhook-receiver/sqlite'
const database = openSqlite('webhooks.db')
await migrate(database)
const store = sqliteTransactionalStore({ database })
${added}`
}

/** Deliveries of both services, which no other has the ids of. */
async function several(count, content = {}) {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const isStripe = index % 2 === 0
      const id = `${isStripe ? 'evt_' : ''}${randomBytes(12).toString('hex')}`
      const [scheme, event] = isStripe ? [stripe, 'invoice.paid'] : [github, 'push']
      const own = isStripe ? { created: index } : { ref: `refs/heads/${id}` }
      const signed = await signDelivery(SECRET, { ...own, ...content }, { scheme, id, event })
      const line = `${id} ${event} ${Object.values(own)[0]}`
      return { id, line, path: `/${scheme.name}`, ...signed }
    }),
  )
}

function idsIn(stdout) {
  return stdout
    .split('\n')
    .map((line) => line.split(' ', 1)[0])
    .filter(Boolean)
}

async function accepted(send, one) {
  const end = Date.now() + PATIENCE
  while ((await send(one)) !== 204) {
    if (Date.now() > end) throw new Error(`${one.id} is not accepted.`)
    await delay(50)
  }
}

async function until(condition) {
  const end = Date.now() + PATIENCE
  while (!condition()) {
    if (Date.now() > end) throw new Error(`It took too long: ${condition}`)
    await delay(20)
  }
}
