import { join } from 'node:path'
import { createContenders } from '@webhook-receiver/checks/contenders.mjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, postgresStore, postgresTransactionalStore } from '../src/index.ts'
import { openPg } from './clients.ts'
import { DATABASE_URL, dropTables, effects, queryPostgres, table, unreachable } from './server.ts'

const { start, go, kill, killAll } = createContenders(join(import.meta.dirname, 'contender.ts'))
const where = { url: DATABASE_URL, table }

async function effectsOf(key: string): Promise<number> {
  return (await queryPostgres(`SELECT key FROM ${effects} WHERE key = $1`, [key])).length
}

describe.skipIf(unreachable !== undefined)(
  'several processes on one PostgreSQL',
  { timeout: 300_000 },
  () => {
    let client: Awaited<ReturnType<typeof openPg>>

    beforeAll(async () => {
      client = await openPg(DATABASE_URL)
      await migrate(client.query, { table })
      await queryPostgres(`CREATE TABLE ${effects} (key text)`)
    })
    afterAll(async () => {
      await killAll()
      await client?.close()
      await dropTables()
    })

    test.each(['lease', 'transaction'] as const)(
      'handle 1,000 deliveries once each, of 20 copies at once, by %s',
      async (mode) => {
        const asked = { ...where, ids: 1000, copies: 10, mode }
        const processes = await Promise.all([start(asked), start(asked)])
        const results = (await Promise.all(processes.map(go))) as { won: string[] }[]
        const won = results.flatMap((result) => result.won)
        expect(won).toHaveLength(1000)
        expect(new Set(won).size).toBe(1000)
        const count = `SELECT count(*)::int, count(DISTINCT key)::int AS keys
          FROM ${effects} WHERE key LIKE $1`
        expect(await queryPostgres(count, [`${mode}%`])).toEqual([{ count: 1000, keys: 1000 }])
      },
    )

    test('a process that is killed before COMMIT leaves neither effect nor mark', async () => {
      const child = await start({ ...where, ids: 1, copies: 1, mode: 'transaction', fate: 'hang' })
      const key = 'transaction hang 0'
      expect(await go(child)).toEqual({ effect: key })
      const store = postgresTransactionalStore({ ...client.transactional, table })
      expect(await store.transact(key, () => expect.unreachable())).toEqual({
        status: 'in_progress',
        retryAfter: 1,
      })
      await kill(child)
      expect(await effectsOf(key)).toBe(0)
      const retry = () =>
        store.transact(key, async (transaction) => {
          await transaction.query(`INSERT INTO ${effects} (key) VALUES ($1)`, [key])
        })
      await expect.poll(retry).toEqual({ status: 'claimed' })
      expect(await effectsOf(key)).toBe(1)
    })

    test('a process that is killed after COMMIT leaves both', async () => {
      const child = await start({
        ...where,
        ids: 1,
        copies: 1,
        mode: 'transaction',
        fate: 'hang after commit',
      })
      const key = 'transaction hang after commit 0'
      expect(await go(child)).toEqual({ won: [key] })
      await kill(child)
      expect(await effectsOf(key)).toBe(1)
      const store = postgresTransactionalStore({ ...client.transactional, table })
      expect(await store.transact(key, () => expect.unreachable())).toEqual({ status: 'done' })
    })

    test('a process that is killed with a lease leaves the delivery to the next, when it is over', async () => {
      const child = await start({ ...where, ids: 1, copies: 1, mode: 'lease', fate: 'hang' })
      const key = 'lease hang 0'
      expect(await go(child)).toEqual({ effect: key })
      await kill(child)
      const store = postgresStore({ query: client.query, table })
      expect(await store.claim(key, 'next', 60)).toMatchObject({ status: 'in_progress' })
      const retry = () => store.claim(key, 'next', 60)
      await expect.poll(retry).toEqual({ status: 'claimed' })
    })

    test('migrate at once without an error', async () => {
      const name = `${table}_at_once`
      const run = () => migrate(client.query, { table: name })
      const migrations = await Promise.allSettled(Array.from({ length: 20 }, run))
      await queryPostgres(`DROP TABLE ${name}`)
      expect(migrations.filter(({ status }) => status === 'rejected')).toEqual([])
    })
  },
)
