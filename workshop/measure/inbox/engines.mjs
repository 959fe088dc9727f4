import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { postgresInbox } from '@webhook-receiver/inbox'
import { stripe } from '@webhook-receiver/schemes'

/**
 * What is compared, each on the PostgreSQL at `url`, with packages that are installed in `folder`.
 *
 * @typedef {{ id: string, key: string | undefined, delivery: object }} Stored
 * @typedef {object} Engine
 * @property {() => Promise<unknown>} setup creates its tables
 * @property {(stored: Stored) => Promise<unknown>} store
 * @property {(many: readonly Stored[]) => Promise<unknown>} postpone stores what is due in a day
 * @property {(atOnce: number, handle: Handle) => Promise<() => Promise<unknown>>} work resolves to what stops it
 *
 * @typedef {(id: string, query: (text: string, values: unknown[]) => PromiseLike<unknown>) => Promise<void>} Handle
 *
 * @type {Record<string, (folder: string, url: string) => Promise<Engine>>}
 */
export const ENGINES = {
  inbox: async (folder, url) => {
    const pool = openPool(folder, url)
    let handle
    const inbox = postgresInbox({
      pool,
      services: {
        stripe: {
          scheme: stripe,
          key: ({ data }) => data.key,
          handlers: ({ id }, { transaction }) =>
            handle(id, (text, values) => transaction.query(text, values)),
        },
      },
    })
    const receive = inbox.receive('stripe')
    const store = ({ id, key, delivery }) =>
      receive(
        { scheme: 'stripe', id, event: 'invoice.paid', data: { ...delivery, key } },
        { verification: { endpoint: 'stripe', key: id } },
      )
    return {
      setup: () => inbox.setup(),
      store,
      async postpone(many) {
        await atOnce(many, store)
        await pool.query(
          "UPDATE webhook_inbox_open SET attempts = 1, due = now() + interval '1 day'",
        )
      },
      async work(concurrency, given) {
        handle = given
        const worker = await inbox.work({ concurrency })
        return () => worker.stop()
      },
    }
  },

  /** Its jobs have a key, as in docs/guides/queues.md: else copies of a delivery would be jobs of their own. */
  'graphile-worker': async (folder, url) => {
    const { makeWorkerUtils, run, Logger } = load(folder, 'graphile-worker')
    const pgPool = openPool(folder, url)
    const logger = new Logger(() => () => {})
    const utils = await makeWorkerUtils({ pgPool, logger })
    const specOf = ({ id, key, delivery }) => ({
      ...{ identifier: 'delivery', payload: { id, delivery } },
      ...{ jobKey: id, jobKeyMode: 'unsafe_dedupe', queueName: key },
    })
    return {
      setup: () => utils.migrate(),
      store(stored) {
        const { identifier, payload, ...spec } = specOf(stored)
        return utils.addJob(identifier, payload, spec)
      },
      async postpone(many) {
        const runAt = tomorrow()
        const specs = many.map((stored) => {
          // What is added in bulk knows no other mode.
          const { jobKeyMode, ...spec } = specOf(stored)
          return { ...spec, runAt }
        })
        for (const part of parts(specs)) await utils.addJobs(part)
      },
      async work(concurrency, handle) {
        const runner = await run({
          ...{ pgPool, concurrency, logger, noHandleSignals: true },
          taskList: { delivery: ({ id }, { query }) => handle(id, query) },
        })
        return () => runner.stop()
      },
    }
  },

  /** Its own `work` waits half a second before each job, so `fetch` and `complete` do the same without that. It keeps no order by key. */
  'pg-boss': async (folder, url) => {
    const PgBoss = load(folder, 'pg-boss')
    const pool = openPool(folder, url)
    const db = { executeSql: (text, values) => pool.query(text, values) }
    const boss = new PgBoss({ db, schedule: false })
    await boss.start()
    const jobOf = ({ id, delivery }) => ({ name: 'webhooks', data: { id, delivery } })
    return {
      setup: () => boss.createQueue('webhooks'),
      store: (stored) => boss.send({ ...jobOf(stored), options: { id: uuid(stored.id) } }),
      async postpone(many) {
        const startAfter = tomorrow()
        const jobs = many.map((stored) => ({ ...jobOf(stored), startAfter }))
        for (const part of parts(jobs)) await boss.insert(part)
      },
      async work(concurrency, handle) {
        const stopping = new AbortController()
        const loop = async () => {
          while (!stopping.signal.aborted) {
            const [job] = await boss.fetch('webhooks')
            if (job) {
              await handle(job.data.id, (text, values) => pool.query(text, values))
              await boss.complete('webhooks', job.id)
            } else await delay(500, undefined, stopping).catch(() => {})
          }
        }
        const loops = Array.from({ length: concurrency }, loop)
        return () => {
          stopping.abort()
          return Promise.all(loops)
        }
      },
    }
  },
}

/** What is in flight at the same time while deliveries are stored. */
export const AT_ONCE = 16

/** Calls `work` with each, so many at once. */
export async function atOnce(items, work) {
  const left = items.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await work(item)
    }),
  )
}

/** One client for all: what differs is the engine. */
function openPool(folder, connectionString) {
  const { Pool } = load(folder, 'pg')
  return new Pool({ connectionString, max: AT_ONCE + 4, pipeline: true })
}

function load(folder, name) {
  return createRequire(join(folder, 'package.json'))(name)
}

function* parts(items) {
  for (let at = 0; at < items.length; at += 1000) yield items.slice(at, at + 1000)
}

function tomorrow() {
  return new Date(Date.now() + 86_400_000)
}

/** @param {string} id hexadecimal */
function uuid(id) {
  return id.padStart(32, '0').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
