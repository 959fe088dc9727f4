import { createDeliveryHandler, parseStoredDelivery } from '@webhook-receiver/core'
import { rejection } from '@webhook-receiver/core/adapter'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { migrate, postgresStore, postgresTransactionalStore } from '../src/index.ts'
import { openPg } from './clients.ts'
import { describePostgresLeases } from './lease-suite.ts'
import { describeOutages } from './outage-suite.ts'
import { DATABASE_URL, dropTables, effects, queryPostgres, table, unreachable } from './server.ts'
import { describePostgresTransactions } from './transaction-suite.ts'

type Sent = [given: pg.QueryConfig, ...others: unknown[]]

/** A pool with one connection, whose statements pass through a function. */
async function open(
  change: (send: (...sent: Sent) => Promise<object>, ...sent: Sent) => unknown = (send, ...sent) =>
    send(...sent),
) {
  const { pool, query, close } = await openPg(DATABASE_URL, { max: 1 })
  onTestFinished(() => void close())
  await migrate(query, { table })
  await queryPostgres(`CREATE TABLE IF NOT EXISTS ${effects} (key text)`)
  const client = await pool.connect()
  const send = client.query.bind(client) as (...sent: Sent) => Promise<object>
  const sent = vi.fn((...given: Sent) => change(send, ...given))
  Object.assign(client, { query: sent })
  client.release()
  return { pool, sent, store: postgresTransactionalStore({ pool, table }) }
}

describe.skipIf(unreachable !== undefined)('with pg', () => {
  describePostgresLeases(() => openPg(DATABASE_URL))
  describePostgresTransactions(() => openPg(DATABASE_URL), true)
  describeOutages((url) => openPg(url))

  test.each([
    ['says so', {}],
    ['does not say so', { command: undefined }],
  ])('rejects where COMMIT was a roll-back, and the pool %s', async (_, said) => {
    let becomes = 'ROLLBACK'
    const { store } = await open(async (send, given, ...others) => {
      if (!given.text.endsWith('; COMMIT')) return send(given, ...others)
      return { ...(await send({ text: becomes })), ...said }
    })
    const rolledBack = store.transact(crypto.randomUUID(), async (client) => {
      await client.query({ text: `INSERT INTO ${effects} VALUES ('rolled back')` })
    })
    await expect(rolledBack).rejects.toThrow('PostgreSQL rolled back')
    expect(await queryPostgres(`SELECT FROM ${effects} WHERE key = 'rolled back'`)).toEqual([])
    becomes = 'COMMIT'
    const key = crypto.randomUUID()
    expect(await store.transact(key, async () => {})).toEqual({ status: 'claimed' })
  })

  test('survives an error of a connection that comes with the response before it', async () => {
    class Losing extends pg.Client {
      override connect(): Promise<pg.Client>
      override connect(callback: (error: Error) => void): void
      override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
        if (!callback) return super.connect()
        super.connect((error: Error) => {
          callback(error)
          this.emit('error', new Error('terminating connection'))
        })
        return undefined
      }
    }
    await migrate((text, values) => queryPostgres(text, values), { table })
    const pool = new pg.Pool({ connectionString: DATABASE_URL, Client: Losing })
    onTestFinished(() => pool.end())
    const store = postgresTransactionalStore({ pool, table })
    const key = crypto.randomUUID()
    // Its first statement, which deletes what has expired, has no transaction and fails.
    await store.transact(key, async () => {}).catch(() => {})
    expect(await store.transact(key, async () => {})).toEqual({ status: 'claimed' })
  })

  test('reports a roll-back that failed', async () => {
    const late = new Error('Query read timeout')
    const { pool, store } = await open((send, given, ...others) =>
      given.text === 'ROLLBACK' ? Promise.reject(late) : send(given, ...others),
    )
    const calls: unknown[] = []
    const failure = new Error('The handler failed.')
    const options = { store, onStoreCall: (call: unknown) => void calls.push(call) }
    const handle = createDeliveryHandler(() => Promise.reject(failure), {
      ...{ ...options, onRejected: false },
    })
    const delivery = parseStoredDelivery(sampleDelivery('message.received'))
    await expect(handle(delivery)).rejects.toBe(failure)
    expect(calls).toMatchObject([
      { operation: 'begin', result: 'claimed' },
      { operation: 'rollback', result: 'failed', error: late },
    ])
    // PostgreSQL ends what has lost its connection.
    expect(pool.totalCount).toBe(0)
  })

  test.each([
    ['search_path TO nowhere', 'this connection has another search_path'],
    ['ROLE pg_monitor', 'permission denied'],
    ['default_transaction_read_only TO on', 'in a read-only transaction'],
  ])('SET %s in a handler fails no more than the next delivery', async (setting, why) => {
    const { store } = await open()
    const deliver = (work: (client: pg.PoolClient) => Promise<void>) =>
      store.transact(crypto.randomUUID(), work)
    const set = async (client: pg.PoolClient) => void (await client.query(`SET ${setting}`))
    expect(await deliver(set)).toEqual({ status: 'claimed' })
    await expect(deliver(async () => {})).rejects.toThrow(why)
    expect(await deliver(async () => {})).toEqual({ status: 'claimed' })
  })

  test('sends one statement to end the connection of a handler that was abandoned', async () => {
    const { store, sent } = await open()
    const error = rejection('handler_abandoned', { seconds: 900 })
    const abandoned = store.transact('hangs', () => {
      sent.mockClear()
      return Promise.reject(error)
    })
    await expect(abandoned).rejects.toBe(error)
    expect(sent.mock.calls).toMatchObject([
      [{ text: 'SELECT pg_terminate_backend(pg_backend_pid())' }],
    ])
  })

  test('sends BEGIN with the claim, once the connection has prepared that, and COMMIT with the end of a savepoint', async () => {
    const { pool, store, sent } = await open()
    const deliver = async (key: string) => {
      sent.mockClear()
      const work = vi.fn(async (client: pg.PoolClient) => {
        await client.query({ text: `INSERT INTO ${effects} VALUES ($1)`, values: [key] })
      })
      expect(await store.transact(key, work)).toEqual({ status: 'claimed' })
      const verbs = sent.mock.calls.map(([{ text }]) =>
        text.includes(effects) ? 'effect' : text.match(/(?:^|; )\w+/g)?.join(''),
      )
      const marks = `SELECT key FROM ${table} JOIN ${effects} USING (key) WHERE key = $1 AND done`
      expect(await queryPostgres(marks, [key])).toEqual([{ key }])
      expect(await store.transact(key, work)).toEqual({ status: 'done' })
      expect(work).toHaveBeenCalledOnce()
      return verbs
    }
    const each = ['BEGIN; SAVEPOINT', 'INSERT', 'effect', 'RELEASE; COMMIT']
    const joined = ['BEGIN; SAVEPOINT; EXECUTE', 'effect', 'RELEASE; COMMIT']
    // The first delivery of a store sweeps.
    expect(await deliver('joined 1')).toEqual(['DELETE', ...each])
    expect(await deliver('joined "2"')).toEqual(joined)
    // What needs escapes is not written into a statement.
    for (const key of ["joined '", 'joined \\', 'joined é'])
      expect(await deliver(key)).toEqual(each)
    expect(await deliver('joined 3')).toEqual(joined)
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    await pool.query('DEALLOCATE ALL')
    const left = ['ROLLBACK', 'BEGIN; SAVEPOINT', 'INSERT', 'ROLLBACK']
    expect(await deliver('joined 4')).toEqual(['BEGIN; SAVEPOINT; EXECUTE', ...left, ...each])
    expect(warn).toHaveBeenCalledOnce()
    expect(await deliver('joined 5')).toEqual(each)
  })

  test('sends one statement at a time with a client that cannot send more', async () => {
    // The extended protocol, in which PostgreSQL takes only one.
    const { store } = await open((send, given, ...others) =>
      send(Object.assign({ ...given }, { queryMode: 'extended' }), ...others),
    )
    for (const key of ['alone 1', 'alone 2', 'alone 3']) {
      expect(await store.transact(key, async () => {})).toEqual({ status: 'claimed' })
      expect(await store.transact(key, async () => {})).toEqual({ status: 'done' })
    }
  })

  test('handles a delivery once where a client says less than its pool', async () => {
    const { store } = await open((send, given, ...others) =>
      // The pool's own has a callback.
      others.length > 0
        ? send(given, ...others)
        : send(given).then((result) => {
            const [one, ...others] = [result].flat().map((each) => ({
              rows: (each as pg.QueryResult).rows,
            }))
            return others.length > 0 ? [one, ...others] : one
          }),
    )
    const work = vi.fn(async () => {})
    for (const key of ['rows 1', 'rows 2', 'rows 3']) {
      expect(await store.transact(key, work)).toEqual({ status: 'claimed' })
      expect(await store.transact(key, work)).toEqual({ status: 'done' })
    }
    expect(work).toHaveBeenCalledTimes(3)
  })

  test('does not run a handler whose mark nobody counts', async () => {
    let isOdd = false
    const { store } = await open((send, given, ...others) => {
      const result = send(given, ...others)
      return isOdd && given.text.includes('INSERT') ? result.then(() => ({ rows: [] })) : result
    })
    await store.transact(crypto.randomUUID(), async () => {})
    isOdd = true
    const key = "odd '"
    const odd = store.transact(key, async () => {})
    await expect(odd).rejects.toThrow('`query` resolved to neither rows')
    isOdd = false
    expect(await store.transact(key, async () => {})).toEqual({ status: 'claimed' })
  })

  test('rejects with the error of COMMIT, also one of syntax', async () => {
    const { store } = await open((send, given, ...others) =>
      given.text.endsWith('; COMMIT')
        ? send({ text: 'ROLLBACK' }).then(() => send({ text: 'SELEC 1' }))
        : send(given, ...others),
    )
    const failed = store.transact(crypto.randomUUID(), async () => {})
    await expect(failed).rejects.toThrow('syntax error at or near "SELEC"')
  })

  test.each(['says', 'does not say'])(
    'knows what a lease changed where the pool %s how many rows that were',
    async (says) => {
      const { pool, sent } = await open(async (send, given) => {
        const { rows, ...others } = (await send(given)) as pg.QueryResult
        return says === 'says' ? { rows, ...others } : { rows }
      })
      const query = async (statement: object) => {
        const client = await pool.connect()
        return client.query(statement as pg.QueryConfig).finally(() => client.release())
      }
      const store = postgresStore({ table, pool: { query, connect: () => pool.connect() } })
      const key = crypto.randomUUID()
      expect(await store.claim(key, 'own', 30)).toEqual({ status: 'claimed' })
      expect(await store.claim(key, 'other', 30)).toMatchObject({ status: 'in_progress' })
      expect(await store.complete(key, 'other')).toBe(false)
      expect(await store.complete(key, 'own')).toBe(true)
      expect(await store.claim(key, 'other', 30)).toEqual({ status: 'done' })
      const isReturning = sent.mock.calls.some(([{ text }]) => text.includes('RETURNING'))
      expect(isReturning).toBe(says !== 'says')
    },
  )
})

afterAll(dropTables)
