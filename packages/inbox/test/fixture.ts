import { EventEmitter, once } from 'node:events'
import { inTransaction } from '@webhook-receiver/checks/postgres.mjs'
import { type InboxOptions, postgresInbox } from '@webhook-receiver/inbox'
import { stripe } from '@webhook-receiver/schemes'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, vi } from 'vitest'
import {
  createPool,
  queryPostgres,
  SHARING,
  type StripeDelivery,
  stripeDelivery,
  tables,
  tablesOfInbox,
  unreachable,
  type Verified,
  verified,
} from './inboxes.ts'

/** A group of tests that need PostgreSQL. */
export const withPostgres = describe.skipIf(unreachable !== undefined)

/** Waits, as long as the test may take. */
export const until = <Value>(check: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(check, { timeout: 3_600_000, interval: 20 })

/** Waits until so many deliveries are in a state, and returns their entries. */
export function reached(
  inbox: Pick<Inbox, 'list'>,
  state: 'running' | 'done' | 'dead',
  count: number,
) {
  return until(async () => {
    const entries = await inbox.list({ state, limit: 1000 })
    expect(entries).toHaveLength(count)
    return entries
  })
}

type Inbox = ReturnType<typeof postgresInbox>

/** Stores a delivery of Stripe, as its receiver does. Like Stripe, it retries where a busy machine does not store it in time. */
export async function store(inbox: Receiving, id: string, customer?: string): Promise<void> {
  try {
    await inbox.receive('stripe')(stripeDelivery(id, customer), verified(id))
  } catch (error) {
    if (!/did not respond|has not responded/.test(Object(error).detail)) throw error
    await store(inbox, id, customer)
  }
}

interface Receiving {
  receive(service: 'stripe'): (delivery: StripeDelivery, context: Verified) => unknown
}

/** Where a handler waits until its test lets it go on. */
export function gate() {
  const events = new EventEmitter()
  const opened = once(events, 'open')
  return {
    entered: once(events, 'enter'),
    wait() {
      events.emit('enter')
      return opened
    },
    open: () => events.emit('open'),
  }
}

export function quiet(): void {}

export function notYet(): never {
  throw new Error('Not yet.')
}

/** The ids of so many deliveries. */
export const idsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => `evt_${from + at}`)

/** What a handler does, on a client of pg. */
export type Work = (
  delivery: StripeDelivery,
  context: {
    readonly transaction: pg.PoolClient
    readonly signal: AbortSignal
    readonly attempt: number
    readonly receivedAt: Date
    readonly trace?: string
  },
) => unknown

type Changes = Partial<Omit<InboxOptions<object, object, pg.PoolClient>, 'services'>>

/** How an inbox uses a pool of pg that it does not know, as behind an ORM. */
export const ormOn = (pool: pg.Pool) => ({
  pool: undefined,
  transaction: (work: (client: pg.PoolClient) => Promise<void>) => inTransaction(pool, work),
  query: (client: pg.PoolClient, text: string, values: readonly unknown[]) =>
    client.query(text, values as unknown[]),
})

/** How the clients of a pool send their statements. */
export const WAYS = ['one at a time', 'in a pipeline'] as const

/** An inbox for the tests of one file. Only they use its tables, which are emptied before each test. */
export function useInbox() {
  const { table, effects } = tables()
  // As in the guide: nobody listens to the errors of its connections.
  const pool = new pg.Pool(SHARING)
  const pipelining = createPool()
  const pools = { 'one at a time': pool, 'in a pipeline': pipelining }
  const workers: Awaited<ReturnType<Inbox['work']>>[] = []
  const stop = async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  }
  const settings = { pool, table, wait: () => 0, attempts: 3, onError: quiet }
  const inboxOf = (work: Work, changes: Changes = {}) =>
    postgresInbox({
      ...{ ...settings, ...changes },
      services: {
        stripe: {
          ...{ scheme: stripe, handlers: work },
          key: ({ data }) => (typeof data.customer === 'string' ? data.customer : undefined),
        },
      },
    })
  beforeAll(async () => {
    if (unreachable !== undefined) return
    await inboxOf(quiet).setup()
    await queryPostgres(
      `CREATE TABLE ${effects} (position bigint GENERATED ALWAYS AS IDENTITY, id text)`,
    )
  })
  afterEach(async () => {
    await stop()
    if (unreachable === undefined) {
      await queryPostgres(`TRUNCATE ${tablesOfInbox(table)}, ${effects}`)
    }
  })
  afterAll(async () => {
    if (unreachable === undefined) {
      await queryPostgres(`DROP TABLE IF EXISTS ${tablesOfInbox(table)}, ${effects}`)
    }
    await Promise.all([pool.end(), pipelining.end()])
  })

  async function started<Own extends Pick<Inbox, 'work'>>(inbox: Own, concurrency = 4) {
    workers.push(await inbox.work({ concurrency }))
    return inbox
  }

  return {
    ...{ table, effects, pool, pools, settings, inboxOf, started, stop },
    /** An inbox that has stored these deliveries, and whose worker handles them. */
    async handling(ids: readonly string[], work: Work, changes?: Changes) {
      const inbox = inboxOf(work, changes)
      for (const id of ids) await store(inbox, id)
      return started(inbox)
    },
    async effectsThere(): Promise<string[]> {
      const rows = await queryPostgres<{ id: string }>(
        `SELECT id FROM ${effects} ORDER BY position`,
      )
      return rows.map(({ id }) => id)
    },
    insert: (client: pg.PoolClient, id: string) =>
      client.query(`INSERT INTO ${effects} (id) VALUES ($1)`, [id]),
  }
}
