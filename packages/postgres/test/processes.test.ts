import { join } from 'node:path'
import { describeProcesses } from '@webhook-receiver/suites/stores'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, postgresStore, postgresTransactionalStore } from '../src/index.ts'
import { openPg } from './clients.ts'
import { DATABASE_URL, dropTables, effects, queryPostgres, table, unreachable } from './server.ts'

describe.skipIf(unreachable !== undefined)('on one PostgreSQL', () => {
  let client: Awaited<ReturnType<typeof openPg>>

  beforeAll(async () => {
    client = await openPg(DATABASE_URL)
    await migrate(client.query, { table })
    await queryPostgres(`CREATE TABLE ${effects} (key text)`)
  })
  afterAll(async () => {
    await client?.close()
    await dropTables()
  })

  describeProcesses<pg.PoolClient>('postgres', {
    program: join(import.meta.dirname, 'contender.ts'),
    settings: () => ({ url: DATABASE_URL, table }),
    store: () => postgresStore({ pool: client.pool, table }),
    transactions: {
      store: () => postgresTransactionalStore({ pool: client.pool, table }),
      effect: (key, transaction) =>
        transaction.query(`INSERT INTO ${effects} (key) VALUES ($1)`, [key]),
      effectsOf: async (prefix) =>
        (await queryPostgres(`SELECT FROM ${effects} WHERE key LIKE $1 || '%'`, [prefix])).length,
      expectHeld: async (copy) => {
        expect(await copy).toEqual({ status: 'in_progress', retryAfter: 1 })
      },
    },
  })

  test('many migrate at once without an error', async () => {
    const name = `${table}_at_once`
    const run = () => migrate(client.query, { table: name })
    const migrations = await Promise.allSettled(Array.from({ length: 20 }, run))
    await queryPostgres(`DROP TABLE ${name}`)
    expect(migrations.filter(({ status }) => status === 'rejected')).toEqual([])
  })
})
