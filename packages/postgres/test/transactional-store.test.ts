import { describe, expect, test } from 'vitest'
import { postgresTransactionalStore, type Query } from '../src/index.ts'
import type { QueryResult, QueryValue } from '../src/query.ts'

/** Returns what PostgreSQL does where the delivery is new. */
const query = async (_client?: unknown, text = ''): Promise<QueryResult> =>
  // Behind a roll-back, the mark is not there.
  / token = .* AND done /.test(text) ? [] : [{ key: 'key', token: 'own' }]

const work = async () => {}

describe('postgresTransactionalStore', () => {
  test('rejects where `transaction` does not wait for its work', async () => {
    const store = postgresTransactionalStore({ query, transaction: async () => {} })
    await expect(store.transact('key', work)).rejects.toThrow(
      '`transaction` resolved before its work was done.',
    )
  })

  test('rejects with the error of the work where `transaction` keeps it to itself, or has its own', async () => {
    const error = new Error('the handler failed')
    const silent = postgresTransactionalStore({
      query,
      transaction: (run) => run(undefined).catch(() => {}),
    })
    await expect(silent.transact('key', () => Promise.reject(error))).rejects.toBe(error)
    const loud = postgresTransactionalStore({
      query,
      transaction: (run) =>
        run(undefined).catch(() => {
          throw new Error('rolled back')
        }),
    })
    await expect(loud.transact('key', () => Promise.reject(error))).rejects.toBe(error)
  })

  test('lets `transaction` run the work again', async () => {
    const store = postgresTransactionalStore({
      query,
      transaction: (run) => run(undefined).catch(() => run(undefined)),
    })
    let runs = 0
    const claim = await store.transact('key', async () => {
      if (++runs === 1) throw new Error('could not serialize access')
    })
    expect(claim).toEqual({ status: 'claimed' })
    expect(runs).toBe(2)
  })

  test('sweeps in a transaction of its own, before the first delivery', async () => {
    const clients: number[] = []
    let next = 0
    const statements: string[] = []
    const store = postgresTransactionalStore<number>({
      transaction: (run) => {
        clients.push(++next)
        return run(next)
      },
      query: (_, text) => {
        statements.push(text)
        return query()
      },
    })
    let workedIn = 0
    await store.transact('key', async (client) => {
      workedIn = client
    })
    expect(statements[0]).toContain('DELETE')
    expect(clients.slice(0, 2)).toEqual([1, 2])
    expect(workedIn).toBe(2)
  })

  test.each([new Error('a deferred constraint'), undefined])(
    'rejects with what the COMMIT of the delivery fails with: %s',
    async (failure) => {
      let transactions = 0
      const store = postgresTransactionalStore({
        query,
        transaction: async (run) => {
          await run(undefined)
          // The first sweeps.
          if (++transactions > 1) throw failure
        },
      })
      await expect(store.transact('key', work)).rejects.toBe(failure)
      expect(transactions).toBe(2)
    },
  )

  test('rejects where the mark is gone, or cannot be looked at', async () => {
    const without = (result: () => Promise<QueryResult>) =>
      postgresTransactionalStore({
        transaction: (run) => run(undefined),
        query: (_, text) => (text.startsWith('SELECT') ? result() : query()),
      })
    const said = 'invalid input syntax for type integer: "The handler ended its transaction."'
    const ended = Object.assign(new Error(said), { code: '22P02' })
    await expect(without(() => Promise.reject(ended)).transact('key', work)).rejects.toMatchObject({
      message: expect.stringContaining('Do not send COMMIT'),
      cause: ended,
    })
    const failed = Object.assign(new Error('current transaction is aborted'), { code: '25P02' })
    await expect(without(() => Promise.reject(failed)).transact('key', work)).rejects.toMatchObject(
      { message: expect.stringContaining('savepoint'), cause: failed },
    )
    const lost = new Error('connection lost')
    await expect(without(() => Promise.reject(lost)).transact('key', work)).rejects.toBe(lost)
  })

  /** A store whose transactions are fine, and which looks after COMMIT with `confirm`. */
  const confirmedBy = (confirm: Query) =>
    postgresTransactionalStore({ transaction: (run) => run(undefined), query: named, confirm })

  /** Returns a separate mark for each key. */
  const named = async (_: unknown, text: string, [key = '']: QueryValue[]) =>
    text.startsWith('INSERT') ? [{ key, token: `of ${key}` }] : query()

  const marksOf = (values: QueryValue[]) =>
    JSON.parse(String(values[0])).map((key: string) => ({ key, token: `of ${key}` }))

  test.each([
    ['nothing', []],
    ['the mark of another transaction', [{ key: 'key', token: 'of another' }]],
    ['the mark of another key', [{ key: 'other', token: 'of key' }]],
    ['a row that is not a mark', [undefined, 'key', { key: 'key' }, { key: 'key', token: 1 }]],
  ])('rejects where %s is found after COMMIT', async (_, rows) => {
    await expect(confirmedBy(async () => rows).transact('key', work)).rejects.toThrow(
      '`transaction` resolved, but PostgreSQL rolled back',
    )
  })

  test.each([
    [
      new Error('too many connections'),
      'check whether COMMIT happened failed: too many connections',
    ],
    ['no error', 'check whether COMMIT happened failed: it threw a value that is not an Error'],
  ])('rejects where it cannot look after COMMIT: %s', async (cause, message) => {
    const store = confirmedBy(() => Promise.reject(cause))
    await expect(store.transact('key', work)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      cause,
    })
  })

  test('rejects where the transaction that looks does not run', async () => {
    let transactions = 0
    const store = postgresTransactionalStore({
      query,
      // The first sweeps, the second marks, the third looks.
      transaction: async (run) => (++transactions < 3 ? run(undefined) : undefined),
    })
    await expect(store.transact('key', work)).rejects.toThrow('PostgreSQL rolled back')
    expect(transactions).toBe(3)
  })

  test('looks once for all deliveries that were committed during the look before', async () => {
    const looks: QueryValue[][] = []
    let finish = () => {}
    const store = confirmedBy(async (_, values) => {
      looks.push(values)
      if (looks.length === 2) await new Promise<void>((resolve) => (finish = resolve))
      return marksOf(values).filter(({ key }: { key: string }) => key !== 'c')
    })
    // The first claim of a store sweeps, and would be the last to be looked at.
    await store.transact('first', work)
    const keys = ['a', 'b', 'c', 'd']
    const outcomes = Promise.allSettled(keys.map((key) => store.transact(key, work)))
    await expect.poll(() => looks.length).toBe(2)
    await new Promise(setImmediate)
    finish()
    expect((await outcomes).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect(looks).toEqual([['["first"]'], ['["a"]'], ['["b","c","d"]']])
  })

  test('handles the next deliveries while a look hangs', async () => {
    let looks = 0
    const store = confirmedBy(async (_, values) =>
      ++looks === 1 ? new Promise<never>(() => {}) : marksOf(values),
    )
    void store.transact('hangs', work)
    await expect.poll(() => looks).toBe(1)
    expect(await store.transact('next', work)).toEqual({ status: 'claimed' })
  })

  test.each<[unknown, string]>([
    [undefined, 'such as { pool }'],
    [{}, 'The store needs `pool`, such as a Pool of pg, or for another client `transaction` and'],
    [{ query }, 'for another client `transaction` and `query`.'],
    [{ transaction: fetch }, 'for another client `transaction` and `query`.'],
    [{ pool: 'postgres://' }, '`pool` should be a pool with the methods query and connect'],
    [{ pool: { connect: fetch }, query }, 'Pass either `pool` or `transaction` and `query`'],
    [{ transaction: 1, query }, '`transaction` should be a function, such as (work) => sql.begin('],
    [
      { transaction: fetch, query, lease: 1 },
      'There is no option "lease". The options are: pool, transaction, query, confirm, table, retention.',
    ],
    [
      { transaction: fetch, query, confirm: true },
      '`confirm` should be a function, such as (text, values) => sql.unsafe(text, values); got',
    ],
  ])('rejects the options %j', (options, message) => {
    const create = () => Reflect.apply(postgresTransactionalStore, undefined, [options])
    expect(create).toThrow(TypeError)
    expect(create).toThrow(message)
  })
})
