// From an inbox to a queue and back, as docs/guides/queues.md says. A program, since nothing closes the connections of the page.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { DATABASE_URL, queryPostgres } from '@webhook-receiver/checks/postgres.mjs'
import { temporaryFolder, withCleanup } from '@webhook-receiver/checks/runs.mjs'
import { postgresInbox } from '@webhook-receiver/inbox'
import { stripe } from '@webhook-receiver/schemes'
import pg from 'pg'
import { findBridges } from './list.mjs'
import { writeBlocks } from './trial.mjs'

const BREAK = fileURLToPath(new URL('../', import.meta.url))

/**
 * Stores deliveries in an inbox, drains it into a queue, to which copies of some come directly, and drains that into another inbox.
 *
 * @param {number} count
 */
function moveThereAndBack(count) {
  return withCleanup(async (onEnd) => {
    const bridge = findBridges().find(({ name }) => name === 'bullmq')
    const folder = temporaryFolder(join(BREAK, '.bridges-'), onEnd)
    await writeBlocks(folder, bridge)
    const engine = await bridge.start()
    onEnd(() => engine.remove())
    await engine.start()
    process.env.REDIS_URL = engine.url
    const { enqueue, work } = await import(pathToFileURL(join(folder, 'bullmq.ts')).href)

    const pool = new pg.Pool({ connectionString: DATABASE_URL })
    onEnd(() => pool.end())
    const open = async (handlers) => {
      const table = `moved_${randomBytes(6).toString('hex')}`
      const services = { stripe: { scheme: stripe, handlers } }
      const inbox = postgresInbox({ pool, table, services })
      await inbox.setup()
      onEnd(() => queryPostgres(`DROP TABLE ${table}`))
      return inbox
    }
    const verificationOf = ({ id }) => ({ verification: { endpoint: 'stripe', key: id } })
    const drained = async (inbox, worker) => {
      while ((await inbox.stats()).some(({ waiting, running }) => waiting + running > 0)) {
        await delay(20)
      }
      await worker.stop()
    }

    const deliveries = Array.from({ length: count }, () => {
      const id = `evt_${randomBytes(8).toString('hex')}`
      return { scheme: 'stripe', id, event: 'invoice.paid', data: { id, type: 'invoice.paid' } }
    })
    const before = await open((delivery) => enqueue(delivery, verificationOf(delivery)))
    for (const one of deliveries) await before.receive('stripe')(one, verificationOf(one))
    await drained(before, await before.work({ concurrency: 4 }))
    for (const one of deliveries.slice(0, 5)) await enqueue(one, verificationOf(one))

    const runs = new Map()
    const after = await open(({ id }) => void runs.set(id, (runs.get(id) ?? 0) + 1))
    let inQueue = 0
    await work(async ({ delivery, ...verification }) => {
      inQueue += 1
      await after.receive('stripe')(delivery, { verification })
    })
    const worker = await after.work({ concurrency: 4 })
    while (runs.size < count) await delay(20)
    await drained(after, worker)
    const twice = [...runs.values()].filter((times) => times > 1).length
    return { sent: count, inQueue, handled: { once: runs.size - twice, twice } }
  })
}

console.log(JSON.stringify(await moveThereAndBack(Number(process.argv[2]))))
process.exit()
