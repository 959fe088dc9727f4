import { describe, expect, test } from 'vitest'
import { postgresTransactionalStore, type QueryAnswer } from '../src/index.ts'

/** Answers as PostgreSQL does where the delivery is new. */
const query = async (_: unknown, text: string): Promise<QueryAnswer> =>
  text.startsWith('WITH') ? [{ status: 'claimed', remaining: 1 }] : [{ key: 'key' }]

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

  test('rejects with what COMMIT failed with', async () => {
    const store = postgresTransactionalStore({
      query,
      transaction: async (run) => {
        await run(undefined)
        throw new Error('a deferred constraint')
      },
    })
    await expect(store.transact('key', work)).rejects.toThrow('a deferred constraint')
  })

  test('rejects where the mark is gone, or cannot be looked at', async () => {
    const without = (answer: () => Promise<QueryAnswer>) =>
      postgresTransactionalStore({
        transaction: (run) => run(undefined),
        query: (client, text) => (text.startsWith('SELECT') ? answer() : query(client, text)),
      })
    await expect(without(async () => []).transact('key', work)).rejects.toThrow(
      'The handler ended the transaction that it was given',
    )
    const failed = Object.assign(new Error('current transaction is aborted'), { code: '25P02' })
    await expect(without(() => Promise.reject(failed)).transact('key', work)).rejects.toMatchObject(
      { message: expect.stringContaining('savepoint'), cause: failed },
    )
    const lost = new Error('connection lost')
    await expect(without(() => Promise.reject(lost)).transact('key', work)).rejects.toBe(lost)
  })

  test.each([
    [undefined, 'such as { transaction: (work) => sql.begin(work), query: (client, text, values)'],
    [{ query }, '`transaction` should be a function, such as (work) => sql.begin(work); got'],
    [{ transaction: fetch }, '`query` should be a function, such as (client, text, values) =>'],
    [
      { transaction: fetch, query, lease: 1 },
      'There is no option "lease". The options are: transaction, query, table, retention.',
    ],
  ])('refuses the options %j', (options, message) => {
    const create = () => Reflect.apply(postgresTransactionalStore, undefined, [options])
    expect(create).toThrow(TypeError)
    expect(create).toThrow(message)
  })
})
