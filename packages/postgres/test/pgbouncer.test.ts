import { setTimeout as delay } from 'node:timers/promises'
import { PART } from '@webhook-receiver/checks/lists.mjs'
import { startBouncer } from '@webhook-receiver/checks/servers.mjs'
import { createDeliveryHandler, type Delivery, WebhookError } from '@webhook-receiver/core'
import type { HandleDelivery } from '@webhook-receiver/core/internal'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, postgresStore, postgresTransactionalStore } from '../src/index.ts'
import { type Client, leasesBy, openPg, openPostgresJs, transactionsBy } from './clients.ts'
import { DATABASE_URL, dropTables, effects, table } from './server.ts'

const INSERT = `INSERT INTO ${effects} (key) VALUES ($1)`

// Far more than the connections behind the pooler.
const AT_ONCE = PART ? 300 : 1000
// Long enough for a queue of that many, so that nothing is rejected for being late.
const settings = { lease: 120, timeout: 120, storeTimeout: 60, onRejected: false } as const

describe.skipIf(PART)('with pg', () => {
  // The last one waits for a connection until the others are done.
  describePooler((url) => openPg(url), false)
})

describe('with postgres.js', () => {
  describePooler((url) => openPostgresJs(url), true)
})

describe.skipIf(PART)('with postgres.js and `prepare: false`', () => {
  describePooler((url) => openPostgresJs(url, { prepare: false }), false)
})

function describePooler<Transaction>(
  open: (url: string) => Promise<Client<Transaction>>,
  /** Whether the client prepares COMMIT, which the pooler then sends to a server that does not know it. */
  prepares: boolean,
): void {
  let bouncer: Awaited<ReturnType<typeof startBouncer>>
  let client: Client<Transaction>
  /** Past the pooler. */
  let direct: pg.Pool

  beforeAll(async () => {
    direct = new pg.Pool({ connectionString: DATABASE_URL, max: 3 })
    await migrate((text, values) => direct.query(text, values), { table })
    await direct.query(`CREATE TABLE IF NOT EXISTS ${effects} (key text)`)
    bouncer = await startBouncer(DATABASE_URL)
    client = await open(bouncer.url)
  })
  afterAll(async () => {
    await client?.close()
    await bouncer?.remove()
    await direct?.end()
    await dropTables()
  })

  const effectsOf = async (key: string) =>
    (await direct.query(`SELECT FROM ${effects} WHERE key = $1`, [key])).rowCount

  /** Sends deliveries at once, each until it is acknowledged; gives the rejections. */
  async function deliverAll(handle: HandleDelivery, prefix: string): Promise<WebhookError[]> {
    const rejections: WebhookError[] = []
    const deliver = async (delivery: Delivery) => {
      for (;;) {
        try {
          await handle(delivery)
          break
        } catch (error) {
          if (!(error instanceof WebhookError) || error.status !== 503) throw error
          rejections.push(error)
          await delay(50)
        }
      }
      expect(await effectsOf(delivery.id), delivery.id).toBe(1)
    }
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => deliver(deliveryOf(`${prefix} ${index}`))),
    )
    return rejections
  }

  async function counts(prefix: string) {
    const { rows } = await direct.query(
      `SELECT (SELECT count(*)::int FROM ${effects} WHERE key LIKE $1) AS effects,
        (SELECT count(*)::int FROM ${table} WHERE key LIKE $2 AND done) AS marks`,
      [`${prefix} %`, `${prefix}:%`],
    )
    return rows[0]
  }

  test.each(['without', 'with'] as const)(
    `a transaction, %s \`confirm\`, acknowledges ${AT_ONCE} deliveries at once where their effects are committed`,
    { timeout: 120_000 },
    async (confirmed) => {
      const store = postgresTransactionalStore({
        ...(confirmed === 'with' ? client.transactional : transactionsBy(client)),
        ...(confirmed === 'with' && { confirm: client.query }),
        table,
      })
      const endpoint = `transaction-${confirmed}`
      const handle = createDeliveryHandler(
        {
          any: async ({ id }, { transaction }) => {
            await client.transactional.query(transaction, INSERT, [id])
          },
        },
        { store, endpoint, ...settings },
      )
      const rejections = await deliverAll(handle, endpoint)
      expect(await counts(endpoint)).toEqual({ effects: AT_ONCE, marks: AT_ONCE })
      const details = new Set(rejections.map(({ reason, detail }) => `${reason}: ${detail}`))
      // What postgres.js has prepared on one connection fails on the other, and COMMIT rolls back.
      const expected = prepares
        ? [expect.stringMatching(/^store_unavailable: .*`prepare: false`/)]
        : []
      expect([...details]).toEqual(expected)
    },
  )

  test(`a lease handles ${AT_ONCE} deliveries at once, once each`, {
    timeout: 120_000,
  }, async () => {
    const store = postgresStore({ ...leasesBy(client), table })
    const handle = createDeliveryHandler(
      { any: async ({ id }) => client.query(INSERT, [id]) },
      { store, endpoint: 'lease', ...settings },
    )
    expect(await deliverAll(handle, 'lease')).toEqual([])
    expect(await counts('lease')).toEqual({ effects: AT_ONCE, marks: AT_ONCE })
  })
}

function deliveryOf(id: string): Delivery {
  return { ...sampleDelivery('message.received', { id }), known: true } as Delivery
}
