import {
  afterAll,
  beforeEach,
  describe,
  expect,
  type MockInstance,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { migrate, postgresStore, postgresTransactionalStore, type Query } from '../src/index.ts'
import { openPg } from './clients.ts'
import { DATABASE_URL, dropTables, table, unreachable } from './server.ts'

let warn: MockInstance<typeof console.warn>
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockReturnValue()
})
afterAll(dropTables)

/** What PostgreSQL does where the delivery is new. */
const handled: Query = async (text) =>
  text.startsWith('DELETE') ? [] : [{ key: 'key', token: 'own' }]

/** A transactional store, whose transactions are those of a client. */
const transactionsOf = (query: Query, name?: string, transaction = vi.fn(runs)) => ({
  transaction,
  store: postgresTransactionalStore<undefined>({
    ...{ table: name, transaction, confirm: query },
    query: (_, ...statement) => query(...statement),
  }),
})

function runs(run: (client: undefined) => Promise<void>) {
  return run(undefined)
}

/** A client whose connection does not know what another has prepared. */
function forgetting(code: string, wrap = (error: Error) => error) {
  const sent: string[] = []
  const query: Query = async (text, values, name) => {
    sent.push(`${text.split(' ')[0]}${name === undefined ? '' : ' by its name'}`)
    if (name === undefined) return handled(text, values)
    throw wrap(Object.assign(new Error(`prepared statement "${name}" does not exist`), { code }))
  }
  return { query, sent }
}

describe.each([
  ['42P05', undefined],
  ['08P01', undefined],
  ['26000', (cause: Error) => new Error('Failed query', { cause })],
])('a connection on which a name fails with %s', (code, wrap) => {
  test('is sent a claim once more, and no name ever after', async () => {
    const { query, sent } = forgetting(code, wrap)
    const store = postgresStore({ query })
    for (const _ of [1, 2])
      expect(await store.claim('key', 'token', 1)).toEqual({ status: 'claimed' })
    expect(await store.complete('key', 'token')).toBe(true)
    expect(sent).toEqual(['DELETE', 'INSERT by its name', 'INSERT', 'INSERT', 'UPDATE'])
    expect(warn.mock.calls).toEqual([[expect.stringContaining('no longer uses prepared')]])
  })

  test('is sent another transaction, if the handler has not begun', async () => {
    const { query, sent } = forgetting(code, wrap)
    const { store, transaction } = transactionsOf(query)
    const work = vi.fn(async () => {})
    expect(await store.transact('key', work)).toEqual({ status: 'claimed' })
    expect(work).toHaveBeenCalledOnce()
    // The first sweeps.
    expect(transaction).toHaveBeenCalledTimes(3)
    expect(sent.slice(0, 3)).toEqual(['DELETE', 'INSERT by its name', 'INSERT'])
    expect(warn).toHaveBeenCalledOnce()
  })
})

test('a pooler that lost its server does not end the use of names', async () => {
  const crashed = Object.assign(new Error('server conn crashed?'), { code: '08P01' })
  const query = vi.fn(handled)
  const store = postgresStore({ query })
  // The first sweeps.
  query.mockImplementationOnce(handled).mockRejectedValueOnce(crashed)
  await expect(store.claim('key', 'token', 1)).rejects.toBe(crashed)
  expect(await store.claim('key', 'token', 1)).toEqual({ status: 'claimed' })
  const names = query.mock.calls.map(([, , name]) => name)
  expect(names).toEqual([undefined, expect.any(String), expect.any(String)])
  expect(warn).not.toHaveBeenCalled()
})

test('rejects where a statement behind the handler was not prepared, or one of the handler', async () => {
  const notPrepared = Object.assign(new Error('unknown'), { code: '26000' })
  const fails: Query = async (text, values, name) => {
    if (text.startsWith('SELECT') && name) throw notPrepared
    return handled(text, values)
  }
  for (const [query, work] of [
    [fails, vi.fn(async () => {})],
    [handled, vi.fn(() => Promise.reject(notPrepared))],
  ] as const) {
    await expect(transactionsOf(query).store.transact('key', work)).rejects.toBe(notPrepared)
    expect(work).toHaveBeenCalledOnce()
  }
})

test('each statement of a delivery has its own name, also in another table, and the look behind COMMIT has none', async () => {
  const names = new Map<string, string>()
  const query: Query = async (text, values, name) => {
    if (name) names.set(text, name)
    return handled(text, values)
  }
  for (const name of ['one', 'other']) {
    const store = postgresStore({ query, table: name })
    await store.claim('key', 'token', 1)
    await store.complete('key', 'token')
    await transactionsOf(query, name).store.transact('key', async () => {})
  }
  // To claim, to complete and to mark; what looks at the mark before COMMIT names no table.
  expect([names.size, new Set(names.values()).size]).toEqual([7, 7])
  for (const name of names.values()) expect(name).toMatch(/^webhook_receiver_\w{8,14}$/)
})

test.skipIf(unreachable !== undefined)('PostgreSQL plans nothing of pg a second time', async () => {
  const { query, close } = await openPg(`${DATABASE_URL}?max=1`)
  onTestFinished(() => void close())
  await migrate(query, { table })
  const store = postgresStore({ query, table })
  for (let round = 0; round < 10; round++) {
    await store.claim(`planned ${round}`, 'token', 30)
    await store.complete(`planned ${round}`, 'token')
  }
  const { rows } = (await query(
    `SELECT sum(generic_plans)::int AS generic, sum(custom_plans)::int AS custom
      FROM pg_prepared_statements WHERE name LIKE 'webhook_receiver_%'`,
    [],
  )) as { rows: unknown[] }
  expect(rows).toEqual([{ generic: 10, custom: 10 }])
  expect(warn).not.toHaveBeenCalled()
})
