import { createDeliveryHandler, parseStoredDelivery } from '@webhook-receiver/core'
import { rejection } from '@webhook-receiver/core/adapter'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import type pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { migrate, postgresStore, postgresTransactionalStore } from '../src/index.ts'
import { openPg } from './clients.ts'
import { describePostgresLeases } from './lease-suite.ts'
import { describeOutages } from './outage-suite.ts'
import { DATABASE_URL, dropTables, effects, queryPostgres, table, unreachable } from './server.ts'
import { describePostgresTransactions } from './transaction-suite.ts'

describe.skipIf(unreachable !== undefined)('with pg', () => {
  describePostgresLeases(() => openPg(DATABASE_URL))
  describePostgresTransactions(() => openPg(DATABASE_URL), true)
  describeOutages((url) => openPg(url))

  test.each([
    ['says so', (result: object) => result],
    ['does not say so', (result: object) => ({ ...result, command: undefined })],
  ])('rejects where COMMIT was a roll-back, and the pool %s', async (_, said) => {
    const { pool, close } = await openPg(DATABASE_URL)
    onTestFinished(() => void close())
    await migrate((text) => pool.query(text), { table })
    await queryPostgres(`CREATE TABLE IF NOT EXISTS ${effects} (key text)`)
    let becomes = 'ROLLBACK'
    const store = postgresTransactionalStore({
      table,
      pool: {
        query: (statement) => pool.query(statement),
        async connect() {
          const client = await pool.connect()
          return {
            query: async (given: pg.QueryConfig) =>
              given.text === 'COMMIT' ? said(await client.query(becomes)) : client.query(given),
            release: (broken?: Error) => client.release(broken),
          }
        },
      },
    })
    const work = async (client: { query(given: pg.QueryConfig): Promise<unknown> }) => {
      await client.query({ text: `INSERT INTO ${effects} VALUES ('rolled back')` })
    }
    const key = crypto.randomUUID()
    await expect(store.transact(key, work)).rejects.toThrow('PostgreSQL rolled back')
    expect(await queryPostgres(`SELECT FROM ${effects} WHERE key = 'rolled back'`)).toEqual([])
    becomes = 'COMMIT'
    expect(await store.transact(key, async () => {})).toEqual({ status: 'claimed' })
  })

  test('reports a roll-back that failed', async () => {
    const { pool, close } = await openPg(DATABASE_URL, { max: 1 })
    onTestFinished(() => void close())
    await migrate((text) => pool.query(text), { table })
    const client = await pool.connect()
    const send: (...given: unknown[]) => unknown = client.query.bind(client)
    const late = new Error('Query read timeout')
    Object.assign(client, {
      query: (...given: unknown[]) =>
        Object(given[0]).text === 'ROLLBACK' ? Promise.reject(late) : send(...given),
    })
    client.release()
    const calls: unknown[] = []
    const failure = new Error('The handler failed.')
    const handle = createDeliveryHandler(
      { any: () => Promise.reject(failure) },
      {
        store: postgresTransactionalStore({ pool, table }),
        onStoreCall: (call) => void calls.push(call),
        onRejected: false,
      },
    )
    const delivery = parseStoredDelivery(sampleDelivery('message.received'))
    await expect(handle(delivery)).rejects.toBe(failure)
    expect(calls).toMatchObject([
      { operation: 'begin', result: 'claimed' },
      { operation: 'rollback', result: 'failed', error: late },
    ])
    // PostgreSQL ends what has lost its connection.
    expect(pool.totalCount).toBe(0)
  })

  test('sends one statement to end the connection of a handler that was abandoned', async () => {
    const { pool, close } = await openPg(DATABASE_URL)
    onTestFinished(() => void close())
    await migrate((text) => pool.query(text), { table })
    const error = rejection('handler_abandoned', { seconds: 900 })
    let texts: unknown[] = []
    const abandoned = postgresTransactionalStore({ pool, table }).transact('hangs', (client) => {
      const sent = vi.spyOn(client, 'query')
      texts = sent.mock.calls
      return Promise.reject(error)
    })
    await expect(abandoned).rejects.toBe(error)
    expect(texts).toMatchObject([[{ text: 'SELECT pg_terminate_backend(pg_backend_pid())' }]])
  })

  test('sends BEGIN with the claim and COMMIT with the last look, once the connection has prepared the claim', async () => {
    const { pool, query, close } = await openPg(DATABASE_URL, { max: 1 })
    onTestFinished(() => void close())
    await migrate(query, { table })
    await queryPostgres(`CREATE TABLE IF NOT EXISTS ${effects} (key text)`)
    const store = postgresTransactionalStore({ pool, table })
    const client = await pool.connect()
    const sent = vi.spyOn(client, 'query')
    client.release()
    const deliver = async (key: string) => {
      sent.mockClear()
      const work = vi.fn(async () => {
        await client.query(`INSERT INTO ${effects} VALUES ($1)`, [key])
      })
      expect(await store.transact(key, work)).toEqual({ status: 'claimed' })
      expect(work).toHaveBeenCalledOnce()
      const texts = sent.mock.calls.map(([given]: unknown[]) => Object(given).text ?? 'effect')
      const marks = `SELECT key FROM ${table} JOIN ${effects} USING (key) WHERE key = $1 AND done`
      expect((await pool.query(marks, [key])).rows).toEqual([{ key }])
      expect(await store.transact(key, work)).toEqual({ status: 'done' })
      return texts.map((text) => text.match(/(?:^|; )\w+/g)?.join(''))
    }
    const each = ['BEGIN', 'INSERT', 'effect', 'SELECT', 'COMMIT']
    const joined = ['BEGIN; EXECUTE', 'effect', 'SELECT; COMMIT']
    // The first delivery of a store sweeps.
    expect(await deliver('joined 1')).toEqual(['DELETE', ...each])
    expect(await deliver('joined "2"')).toEqual(joined)
    // What needs escapes is not written into a statement.
    for (const key of ["joined '", 'joined \\', 'joined é'])
      expect(await deliver(key)).toEqual(each)
    expect(await deliver('joined 3')).toEqual(joined)
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    await client.query('DEALLOCATE ALL')
    const left = ['ROLLBACK', 'BEGIN', 'INSERT', 'ROLLBACK']
    expect(await deliver('joined 4')).toEqual(['BEGIN; EXECUTE', ...left, ...each])
    expect(warn).toHaveBeenCalledOnce()
    expect(await deliver('joined 5')).toEqual(each)
  })

  test('sends one statement at a time with a client that cannot send more', async () => {
    const { pool, query, close } = await openPg(DATABASE_URL, { max: 1 })
    onTestFinished(() => void close())
    await migrate(query, { table })
    const store = postgresTransactionalStore({ pool, table })
    const client = await pool.connect()
    const send: (...given: unknown[]) => unknown = client.query.bind(client)
    Object.assign(client, {
      // The extended protocol, in which PostgreSQL takes only one.
      query: (given: object, ...others: unknown[]) =>
        send({ ...given, queryMode: 'extended' }, ...others),
    })
    client.release()
    for (const key of ['alone 1', 'alone 2', 'alone 3']) {
      expect(await store.transact(key, async () => {})).toEqual({ status: 'claimed' })
      expect(await store.transact(key, async () => {})).toEqual({ status: 'done' })
    }
  })

  test.each(['says', 'does not say'])(
    'knows what a lease changed where the pool %s how many rows that were',
    async (says) => {
      const { pool, close } = await openPg(DATABASE_URL)
      onTestFinished(() => void close())
      await migrate((text) => pool.query(text), { table })
      const texts: string[] = []
      const store = postgresStore({
        table,
        pool: {
          query: async (statement) => {
            texts.push(statement.text)
            const result = await pool.query<object>(statement as pg.QueryConfig)
            return says === 'says' ? result : { rows: result.rows }
          },
          connect: () => pool.connect(),
        },
      })
      const key = crypto.randomUUID()
      expect(await store.claim(key, 'own', 30)).toEqual({ status: 'claimed' })
      expect(await store.claim(key, 'other', 30)).toMatchObject({ status: 'in_progress' })
      expect(await store.complete(key, 'other')).toBe(false)
      expect(await store.complete(key, 'own')).toBe(true)
      expect(await store.claim(key, 'other', 30)).toEqual({ status: 'done' })
      const isReturning = texts.some((text) => text.includes('RETURNING'))
      expect(isReturning).toBe(says !== 'says')
    },
  )
})

afterAll(dropTables)
