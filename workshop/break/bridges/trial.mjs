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
import { send as post } from '@webhook-receiver/checks/wire.mjs'
import { signDelivery } from '@webhook-receiver/core/testing'
import { github, stripe } from '@webhook-receiver/schemes'

const GUIDE = new URL('../../../docs/guides/queues.md', import.meta.url)
const BREAK = fileURLToPath(new URL('../', import.meta.url))
const SERVE = fileURLToPath(new URL('../serve.mjs', import.meta.url))
const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url))
const SECRET = 'whsec_of_the_bridges_to_queues'
const TSX = ['--import', import.meta.resolve('tsx')]

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
    const engine = await bridge.start(installed)
    onEnd(() => engine.remove?.())
    await engine.start?.()
    const proxy = await new TcpProxy(engine.url).open()
    onEnd(() => proxy.cut())
    const [port] = await freePorts(1)
    const workers = []
    const alive = []
    const stopAll = () => Promise.all(alive.splice(0).map((program) => program.stop('SIGKILL')))
    onEnd(stopAll)
    let deaths = 0

    const start = {
      async receiver() {
        const env = bridge.env({ ...engine, url: proxy.url })
        const args = [...TSX, SERVE, join(folder, `${bridge.name}.ts`)]
        const options = { cwd: folder, secret: SECRET, env, port }
        const receiver = await startApplication(args, options)
        alive.push(receiver)
        return receiver
      },
      async worker() {
        const args = [...TSX, WORKER, folder, bridge.name]
        const options = { cwd: folder, env: bridge.env(engine), fourth: 'ipc' }
        const worker = startProgram(process.execPath, args, options)
        alive.push(worker)
        workers.push(worker)
        worker.child.on('message', ({ dead }) => {
          deaths = dead ?? deaths
        })
        await worker.printed(/^Working/m)
        return worker
      },
    }
    /** What handlers have printed, a line for each delivery, of all workers. */
    const printed = () => workers.flatMap((worker) => worker.output().stdout.split('\n'))
    const runsOf = (sent) =>
      printed()
        .map((line) => line.split(' ', 1)[0])
        .filter((id) => sent.some((one) => one.id === id))
    const countOf = (sent) => new Set(runsOf(sent)).size
    const isHandled = (...sent) => countOf(sent) === sent.length
    const send = async (one) => (await post(port, one)).outcome
    /** As a service does, again and again until it is accepted. */
    const deliver = (one) => until(async () => (await send(one)) === 204, 50)

    /** What a promise has started is killed behind it. */
    const PROMISES = {
      async 'one job, with its type'() {
        await start.receiver()
        const sent = await several(deliveries)
        await Promise.all([...sent, ...sent, ...sent].map(deliver))
        await start.worker()
        await until(() => isHandled(...sent))
        for (const one of sent) await deliver(one)
        const [last] = await several(1)
        await deliver(last)
        await until(() => isHandled(last))
        const typed = sent.filter(({ line }) => printed().includes(line)).length
        const times = runsOf(sent).length
        return {
          seen: `${times} runs of ${sent.length} deliveries in ${sent.length * 4} copies, ${typed} typed`,
          broken: times !== sent.length || typed !== sent.length,
        }
      },

      async 'nothing lost'() {
        const programs = { receiver: await start.receiver(), worker: await start.worker() }
        const sent = await several(deliveries, { takes: 20 })
        const part = Math.ceil(sent.length / 6)
        const sending = (async () => {
          for (const one of sent) await deliver(one)
        })()
        let kills = 0
        for (const killed of ['worker', 'receiver', 'engine', 'worker', 'receiver']) {
          const middle = Math.min(countOf(sent) + part, sent.length)
          await Promise.race([until(() => countOf(sent) >= middle), delay(3000)])
          if (killed === 'engine' && engine.isShared) continue
          await (programs[killed] ?? engine).stop('SIGKILL')
          if (killed === 'engine') await engine.start()
          else programs[killed] = await start[killed]()
          kills += 1
        }
        await sending
        await until(() => isHandled(...sent)).catch(() => {})
        const lost = sent.length - countOf(sent)
        const again = runsOf(sent).length - sent.length
        return {
          seen: `${lost} of ${sent.length} lost, ${again} twice, ${kills} kills`,
          // A job whose worker or engine was killed behind its effect.
          broken: lost > 0 || again > kills * 8,
        }
      },

      async '503 while it is away'() {
        await start.receiver()
        const [before, during] = await several(2)
        await deliver(before)
        await proxy.cut()
        const statuses = new Set([await send(during), await send(during)])
        await proxy.open()
        await deliver(during)
        await start.worker()
        await until(() => isHandled(before, during))
        return { seen: [...statuses].join(', '), broken: `${[...statuses]}` !== '503' }
      },

      async 'dead letters seen'() {
        await start.receiver()
        await start.worker()
        const [poison] = await several(1, { fails: 1000 })
        const [slow] = await several(1, { fails: 1 })
        await deliver(poison)
        await deliver(slow)
        await until(() => deaths > 0 && isHandled(slow))
        return { seen: `${deaths}`, broken: deaths !== 1 || isHandled(poison) }
      },

      async order() {
        if (!bridge.ordered) return { seen: 'none', broken: false }
        await start.receiver()
        const sent = await several(10)
        sent.splice(3, 0, ...(await several(1, { fails: 2 })))
        for (const one of sent) await deliver(one)
        await start.worker()
        await until(() => isHandled(...sent))
        const kept = `${runsOf(sent)}` === `${sent.map(({ id }) => id)}`
        return { seen: kept ? 'kept over two failures' : 'not kept', broken: !kept }
      },
    }
    const saw = {}
    const problems = []
    for (const [promise, keep] of Object.entries(PROMISES)) {
      const { seen, broken } = await keep()
      await stopAll()
      saw[promise] = broken ? `BROKEN: ${seen}` : seen
      if (broken) problems.push(`${promise}: ${seen}`)
    }
    return { name: bridge.name, saw, problems }
  })
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

async function until(condition, pause = 20) {
  const end = Date.now() + PATIENCE
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`It took too long: ${condition}`)
    await delay(pause)
  }
}
