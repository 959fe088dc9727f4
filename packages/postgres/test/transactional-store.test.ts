import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { type PostgresTransactionalStoreOptions, postgresTransactionalStore } from '../src/index.ts'
import type { QueryResult, QueryValue } from '../src/query.ts'

type Options = PostgresTransactionalStoreOptions<unknown>

/** Returns what PostgreSQL does where the delivery is new. */
const query = async (_client?: unknown, text = ''): Promise<QueryResult> =>
  // Behind a roll-back, the mark is not there.
  / token = .* AND done /.test(text) ? [] : [{ key: 'key', token: 'own' }]

/** A store whose client does what it should, except for these options. */
const storeWith = (options: Partial<Options>) =>
  postgresTransactionalStore<unknown>({ query, transaction: (run) => run(undefined), ...options })

const work = async () => {}

const committedWith = 'check whether COMMIT happened failed: '
const rolledBack = '`transaction` resolved, but PostgreSQL rolled back'
const coded = (code: string, message: string) => Object.assign(new Error(message), { code })
const ended = coded('22P02', 'invalid input: "The handler ended its transaction."')
const failed = coded('25P02', 'current transaction is aborted')
const foreign = runInNewContext("new Error('of another realm')")
const many = new Error('too many connections')

/** Rejects where the store looks at its mark before COMMIT. */
const looking = (error: Error): Partial<Options> => ({
  query: (_, text) => (text.startsWith('SELECT') ? Promise.reject(error) : query()),
})

const finding = (...rows: unknown[]): Partial<Options> => ({ confirm: async () => rows })

test.each<[string, Partial<Options>, message: string, cause?: unknown]>([
  [
    '`transaction` does not wait for its work',
    { transaction: async () => {} },
    '`transaction` resolved before its work was done.',
  ],
  ['the mark is gone', looking(ended), 'Do not send COMMIT', ended],
  ['the mark cannot be looked at', looking(failed), 'savepoint', failed],
  ['nothing is found after COMMIT', finding(), rolledBack],
  ['the mark of another is found', finding({ key: 'key', token: 'of another' }), rolledBack],
  ['the mark of another key is found', finding({ key: 'other', token: 'own' }), rolledBack],
  [
    'a row that is not a mark is found',
    finding(undefined, 'key', { key: 'key' }, { key: 'key', token: 1 }),
    rolledBack,
  ],
  [
    'it cannot look after COMMIT',
    { confirm: () => Promise.reject(many) },
    `${committedWith}${many.message}`,
    many,
  ],
  [
    'the look after COMMIT throws an error of another realm, as in Jest',
    { confirm: () => Promise.reject(foreign) },
    `${committedWith}of another realm`,
    foreign,
  ],
  [
    'the look after COMMIT throws no error',
    { confirm: () => Promise.reject('no error') },
    `${committedWith}it threw a value that is not an Error`,
    'no error',
  ],
])('rejects where %s', async (_, options, message, cause) => {
  await expect(storeWith(options).transact('key', work)).rejects.toMatchObject({
    message: expect.stringContaining(message),
    ...(cause !== undefined && { cause }),
  })
})

test('rejects where the transaction that looks does not run', async () => {
  const transaction = vi.fn<Options['transaction'] & object>(async () => {})
  // The first sweeps, the second marks, the third looks.
  for (const _ of [1, 2]) transaction.mockImplementationOnce((run) => run(undefined))
  await expect(storeWith({ transaction }).transact('key', work)).rejects.toThrow(rolledBack)
  expect(transaction).toHaveBeenCalledTimes(3)
})

const error = new Error('the handler failed')
const failing = () => Promise.reject(error)

test.each<[string, Partial<Options>, work: () => Promise<void>, thrown: unknown]>([
  [
    'of the work where `transaction` keeps it to itself',
    { transaction: (run) => run(undefined).catch(() => {}) },
    ...([failing, error] as const),
  ],
  [
    'of the work where `transaction` has its own',
    { transaction: (run) => run(undefined).catch(() => Promise.reject(many)) },
    ...([failing, error] as const),
  ],
  ['of a connection that is lost', looking(many), work, many],
  ['of COMMIT', committing(many), work, many],
  ['of COMMIT, also if that is undefined', committing(undefined), work, undefined],
])('rejects with the error %s', async (_, options, run, thrown) => {
  await expect(storeWith(options).transact('key', run)).rejects.toBe(thrown)
})

/** Rejects with this behind the work. */
function committing(failure: unknown): Partial<Options> {
  let transactions = 0
  return {
    transaction: async (run) => {
      await run(undefined)
      // The first sweeps.
      if (++transactions > 1) throw failure
    },
  }
}

test('lets `transaction` run the work again', async () => {
  const store = storeWith({ transaction: (run) => run(undefined).catch(() => run(undefined)) })
  const runs = vi.fn(work).mockRejectedValueOnce(new Error('could not serialize access'))
  expect(await store.transact('key', runs)).toEqual({ status: 'claimed' })
  expect(runs).toHaveBeenCalledTimes(2)
})

test('sweeps in a separate transaction, before the first delivery', async () => {
  let next = 0
  const sent: unknown[] = []
  const store = storeWith({
    transaction: (run) => run(++next),
    query: (client, text) => {
      sent.push([client, text.split(' ')[0]])
      return query()
    },
  })
  await store.transact('key', async (client) => void sent.push([client, 'work']))
  expect(sent.slice(0, 3)).toEqual([
    [1, 'DELETE'],
    [2, 'INSERT'],
    [2, 'work'],
  ])
})

const marksOf = (values: QueryValue[]) =>
  JSON.parse(String(values[0])).map((key: string) => ({ key, token: `of ${key}` }))

/** A store with a separate mark for each key, which looks after COMMIT with `confirm`. */
const confirmedBy = (confirm: Options['confirm']) =>
  storeWith({
    query: async (_, text, [key = '']) =>
      text.startsWith('INSERT') ? [{ key, token: `of ${key}` }] : query(),
    confirm,
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
  const outcomes = Promise.allSettled(['a', 'b', 'c', 'd'].map((key) => store.transact(key, work)))
  await expect.poll(() => looks.length).toBe(2)
  await new Promise(setImmediate)
  finish()
  const statuses = (await outcomes).map(({ status }) => status)
  expect(statuses).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(looks).toEqual([['["first"]'], ['["a"]'], ['["b","c","d"]']])
})

test('handles the next deliveries while a look hangs', async () => {
  const confirm = vi.fn<NonNullable<Options['confirm']>>(async (_, values) => marksOf(values))
  const store = confirmedBy(confirm.mockReturnValueOnce(new Promise(() => {})))
  void store.transact('hangs', work)
  await expect.poll(() => confirm.mock.calls.length).toBe(1)
  expect(await store.transact('next', work)).toEqual({ status: 'claimed' })
})

test.each<[object, string]>([
  [{}, 'The store needs `pool`, such as a Pool of pg, or for another client `transaction` and'],
  [{ transaction: fetch }, 'for another client `transaction` and `query`.'],
  [{ pool: 'postgres://' }, '`pool` should be a pool with the methods query and connect'],
  [{ pool: { connect: fetch }, query }, 'Pass either `pool` or `transaction` and `query`'],
  [{ transaction: 1, query }, '`transaction` should be a function, such as (work) => sql.begin('],
  [{ transaction: fetch, query, lease: 1 }, 'There is no option "lease".'],
  [{ transaction: fetch, query, confirm: true }, '`confirm` should be a function, such as (text'],
])('rejects the options %j', (options, message) => {
  const create = () => postgresTransactionalStore(Object(options))
  expect(create).toThrow(TypeError)
  expect(create).toThrow(message)
})
