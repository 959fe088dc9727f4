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

/** A client whose connection does not know what another has prepared. */
function forgetting(code: string, wrap = (error: Error) => error) {
  const sent: [text: string, name: string | undefined][] = []
  const query: Query = async (text, _, name) => {
    sent.push([text, name])
    if (name !== undefined) {
      throw wrap(Object.assign(new Error(`prepared statement "${name}" does not exist`), { code }))
    }
    return text.startsWith('DELETE') ? [] : [{ key: 'key', token: 'own' }]
  }
  const namesOf = (verb: string) =>
    sent.filter(([text]) => text.startsWith(verb)).map(([, name]) => name !== undefined)
  return { query, namesOf }
}

describe.each([
  ['42P05', undefined],
  ['08P01', undefined],
  ['26000', (cause: Error) => new Error('Failed query', { cause })],
])('a connection on which a name fails with %s', (code, wrap) => {
  test('is sent a claim once more, and no name ever after', async () => {
    const { query, namesOf } = forgetting(code, wrap)
    const store = postgresStore({ query })
    expect(await store.claim('key', 'token', 1)).toEqual({ status: 'claimed' })
    expect(await store.claim('key', 'token', 1)).toEqual({ status: 'claimed' })
    expect(await store.complete('key', 'token')).toBe(true)
    expect(namesOf('INSERT')).toEqual([true, false, false])
    expect(namesOf('UPDATE')).toEqual([false])
    expect(warn.mock.calls).toEqual([[expect.stringContaining('no longer uses prepared')]])
  })

  test('is sent another transaction, if the handler has not begun', async () => {
    const { query, namesOf } = forgetting(code, wrap)
    const transaction = vi.fn((run: (client: undefined) => Promise<void>) => run(undefined))
    const store = postgresTransactionalStore<undefined>({
      transaction,
      query: (_, ...statement) => query(...statement),
      confirm: query,
    })
    const work = vi.fn(async () => {})
    expect(await store.transact('key', work)).toEqual({ status: 'claimed' })
    expect(work).toHaveBeenCalledOnce()
    // The first sweeps.
    expect(transaction).toHaveBeenCalledTimes(3)
    expect(namesOf('INSERT')).toEqual([true, false])
    expect(warn).toHaveBeenCalledOnce()
  })
})

test('a pooler that lost its server does not end the use of names', async () => {
  const crashed = Object.assign(new Error('server conn crashed?'), { code: '08P01' })
  const names: unknown[] = []
  const store = postgresStore({
    query: async (text, _, name) => {
      if (text.startsWith('DELETE')) return []
      names.push(name)
      if (names.length === 1) throw crashed
      return [{ key: 'key' }]
    },
  })
  await expect(store.claim('key', 'token', 1)).rejects.toBe(crashed)
  expect(await store.claim('key', 'token', 1)).toEqual({ status: 'claimed' })
  expect(names).toEqual([expect.any(String), expect.any(String)])
  expect(warn).not.toHaveBeenCalled()
})

test('rejects where a statement behind the handler was not prepared, or one of the handler', async () => {
  const notPrepared = Object.assign(new Error('unknown'), { code: '26000' })
  let failing = 'SELECT'
  const store = postgresTransactionalStore<undefined>({
    transaction: (run) => run(undefined),
    query: async (_, text, __, name) => {
      if (text.startsWith(failing) && name) throw notPrepared
      // The mark of a handler that failed was rolled back.
      return text.startsWith('DELETE') ? [] : [{ key: 'key', token: 'own' }]
    },
  })
  const work = vi.fn(async () => {})
  await expect(store.transact('key', work)).rejects.toBe(notPrepared)
  expect(work).toHaveBeenCalledOnce()
  failing = 'nothing'
  const throws = vi.fn(() => Promise.reject(notPrepared))
  await expect(store.transact('key', throws)).rejects.toBe(notPrepared)
  expect(throws).toHaveBeenCalledOnce()
})

test('each statement of a delivery has its own name, also in another table, and the look behind COMMIT has none', async () => {
  const names = new Map<string, string>()
  const query: Query = async (text, _, name) => {
    if (name) names.set(text, name)
    return text.startsWith('DELETE') ? [] : [{ key: 'key', token: 'own' }]
  }
  for (const name of ['one', 'other']) {
    const store = postgresStore({ query, table: name })
    await store.claim('key', 'token', 1)
    await store.complete('key', 'token')
    const transactions = postgresTransactionalStore<undefined>({
      table: name,
      transaction: (run) => run(undefined),
      query: (_, ...statement) => query(...statement),
    })
    await transactions.transact('key', async () => {})
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
