import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Program, startProgram, stopPrograms } from '@webhook-receiver/checks/program.mjs'
import { startBouncer } from '@webhook-receiver/checks/servers.mjs'
import { postgresInbox } from '@webhook-receiver/inbox'
import { stripe } from '@webhook-receiver/schemes'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { withPostgres } from './fixture.ts'
import {
  createPool,
  DATABASE_URL,
  queryPostgres,
  stripeDelivery,
  tables,
  tablesOfInbox,
  unreachable,
  verified,
} from './inboxes.ts'

const { table, effects } = tables()
const pool = createPool()
const CUSTOMERS = 20

const inbox = postgresInbox({
  ...{ pool, table },
  services: {
    stripe: { scheme: stripe, handlers: () => {}, key: ({ data }) => String(data.customer) },
  },
})

beforeEach(async () => {
  if (unreachable !== undefined) return
  await queryPostgres(`DROP TABLE IF EXISTS ${tablesOfInbox(table)}, ${effects}`)
  await inbox.setup()
  await queryPostgres(
    `CREATE TABLE ${effects} (position bigint GENERATED ALWAYS AS IDENTITY, id text, customer text, number integer)`,
  )
})

afterAll(async () => {
  await stopPrograms('SIGKILL')
  if (unreachable === undefined)
    await queryPostgres(`DROP TABLE IF EXISTS ${tablesOfInbox(table)}, ${effects}`)
  await pool.end()
})

async function startWorker(url = DATABASE_URL): Promise<Program> {
  const path = fileURLToPath(new URL('worker-process.ts', import.meta.url))
  const args = ['--conditions=@webhook-receiver/source', '--import', 'tsx', path, url, table]
  const worker = startProgram(process.execPath, args, {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  })
  await worker.printed(/^Working/m)
  return worker
}

/** Stores deliveries, those of each customer one behind the other, and some of them twice. */
async function store(count: number): Promise<void> {
  const receive = inbox.receive('stripe')
  await Promise.all(
    Array.from({ length: CUSTOMERS }, async (_, customer) => {
      for (let number = customer; number < count; number += CUSTOMERS) {
        const delivery = stripeDelivery(`evt_${number}`, `cus_${customer}`, number)
        const copies = number % 3 === 0 ? 2 : 1
        await Promise.all(
          Array.from({ length: copies }, () => receive(delivery, verified(delivery.id))),
        )
      }
    }),
  )
}

/** Once all are done: each has had its effect once, and those of a customer in their order. */
async function expectAllHandled(count: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const [row] = await queryPostgres<{ left: number }>(
        `SELECT (SELECT count(*) FROM ${table}_open)::integer + (SELECT count(*) FROM ${table}_ended WHERE state = 'dead')::integer AS left`,
      )
      expect(row?.left).toBe(0)
    },
    { timeout: 240_000, interval: 100 },
  )
  const found = await queryPostgres<{ id: string; customer: string; number: number }>(
    `SELECT id, customer, number FROM ${effects} ORDER BY position`,
  )
  expect(new Set(found.map(({ id }) => id)).size).toBe(count)
  expect(found).toHaveLength(count)
  for (let customer = 0; customer < CUSTOMERS; customer++) {
    const own = found.filter((row) => row.customer === `cus_${customer}`)
    const numbers = own.map(({ number }) => number)
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
  }
}

withPostgres('several workers', () => {
  test('four processes handle each delivery once and in order, while they are killed', async () => {
    const workers = await Promise.all([1, 2, 3, 4].map(() => startWorker()))
    const storing = store(800)
    for (let kill = 0; kill < 8; kill++) {
      await delay(200)
      await workers[kill % 4]?.stop('SIGKILL')
      workers[kill % 4] = await startWorker()
    }
    await storing
    await expectAllHandled(800)
  })

  test('work behind PgBouncer with pool_mode = transaction', async () => {
    const bouncer = await startBouncer(DATABASE_URL)
    try {
      const workers = await Promise.all([startWorker(bouncer.url), startWorker(bouncer.url)])
      await store(200)
      await expectAllHandled(200)
      await Promise.all(workers.map((worker) => worker.stop('SIGKILL')))
    } finally {
      await bouncer.remove()
    }
  })
})
