import { describe, expect, test } from 'vitest'
import { postgresStore, postgresTransactionalStore } from '../src/index.ts'
import type { QueryResult } from '../src/query.ts'

/** A store without a server: this function returns the result of each statement. */
function returning(result: (text: string) => QueryResult, table?: string) {
  const statements: string[] = []
  const store = postgresStore({
    table,
    query: async (text) => {
      statements.push(text)
      return result(text)
    },
  })
  return { store, statements }
}

const claimed = (text: string) => {
  if (text.startsWith('DELETE')) return []
  return text.startsWith('WITH') ? [{ status: 'claimed', remaining: null }] : [{ key: 'key' }]
}

/** What a promise rejects with. */
function reasonOf(promise: unknown): Promise<unknown> {
  return Promise.resolve(promise).then(
    () => 'it was fulfilled',
    (reason: unknown) => reason,
  )
}

describe('postgresStore, at its limits', () => {
  test('takes a lease and a retention of a thousand million seconds, and none above', async () => {
    const longest = 1_000_000_000
    const { store } = returning(claimed)
    expect(await store.claim('key', 'token', longest)).toEqual({ status: 'claimed' })
    expect(await store.extend('key', 'token', longest)).toBe(true)
    expect(await reasonOf(store.claim('key', 'token', longest + 1))).toBeInstanceOf(TypeError)
    const query = async () => []
    expect(() => postgresStore({ query, retention: longest })).not.toThrow()
    expect(() => postgresStore({ query, retention: longest + 1 })).toThrow(TypeError)
  })

  const name = 'n'.repeat(50)

  test.each([name, `${name}.${name}`, '_1'])('takes the table %s', async (table) => {
    const { store, statements } = returning(claimed, table)
    await store.claim('key', 'token', 1)
    expect(statements.at(-1)).toContain(`"${table.replace('.', '"."')}"`)
  })

  test.each([`${name}n.t`, `t.${name}n`, 't.', null, ['t']])('rejects the table %j', (table) => {
    const create = () => Reflect.apply(postgresStore, undefined, [{ query: fetch, table }])
    const got = Array.isArray(table) ? '["t"]' : JSON.stringify(table)
    expect(create).toThrow(TypeError)
    expect(create).toThrow(
      `such as 'webhook_deliveries' or 'myschema.webhook_deliveries'; got ${got}.`,
    )
  })

  test.each([
    [[], false],
    [[{ key: 'key' }], true],
    [{ rows: [] }, false],
    [{ rows: [{ key: 'key' }] }, true],
  ])('holds the lease where a statement found its row: %j', async (result, held) => {
    const { store } = returning(() => result)
    expect(await store.complete('key', 'token')).toBe(held)
    expect(await store.extend('key', 'token', 1)).toBe(held)
    expect(await store.release('key', 'token')).toBe(held)
  })

  test.each([[null], [{ status: 'claimed' }], [{ remaining: 1 }]])(
    'rejects a claim that returns the row %j',
    async (row) => {
      const { store } = returning((text) => (/\bDELETE\b/.test(text) ? [] : [row]))
      expect(await reasonOf(store.claim('key', 'token', 1))).toHaveProperty(
        'message',
        expect.stringContaining('The result of a claim has no row with `status`'),
      )
    },
  )

  test('names a table that is missing, and keeps the error of the client', async () => {
    const cause = Object.assign(new Error('relation does not exist'), { code: '42P01' })
    const { store } = returning(() => {
      throw cause
    })
    const error = await reasonOf(store.complete('key', 'token'))
    expect(error).toHaveProperty(
      'message',
      expect.stringContaining('The table "webhook_deliveries" does not exist'),
    )
    expect(error).toHaveProperty('cause', cause)
  })

  test.each([new Error('gone'), Object.assign(new Error('x'), { code: '23505' }), null, 'gone'])(
    'rejects with any other error of the client as it is: %s',
    async (error) => {
      const { store } = returning(() => {
        throw error
      })
      expect(await reasonOf(store.complete('key', 'token'))).toBe(error)
    },
  )

  test('sweeps on the first of every 64 claims', async () => {
    const { store, statements } = returning(claimed)
    for (let claim = 0; claim < 129; claim++) await store.claim('key', 'token', 1)
    const sweeps = statements.flatMap((text, index) => (text === statements[0] ? [index] : []))
    // Before each the claims since the last, and the last itself.
    expect(sweeps).toEqual([0, 65, 130])
    expect(statements).toHaveLength(129 + 3)
  })
})

describe('postgresTransactionalStore, without a server', () => {
  const transactional = (
    transaction: (run: (client: number) => Promise<void>) => Promise<void>,
  ) => {
    const statements: string[] = []
    const query = async (_: number, text: string) => {
      statements.push(text)
      return [{ status: 'claimed', remaining: 1, key: 'key', token: 'own' }]
    }
    return { store: postgresTransactionalStore({ transaction, query }), statements }
  }

  test('sweeps in a transaction of its own, before the first delivery', async () => {
    const clients: number[] = []
    let next = 0
    const { store, statements } = transactional((run) => {
      clients.push(++next)
      return run(next)
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
      const { store } = transactional(async (run) => {
        await run(0)
        // The first sweeps.
        if (++transactions > 1) throw failure
      })
      expect(await reasonOf(store.transact('key', async () => {}))).toBe(failure)
      expect(transactions).toBe(2)
    },
  )

  test.each([null, 'postgres://'])('rejects %j in place of the options', (options) => {
    for (const create of [postgresStore, postgresTransactionalStore]) {
      expect(() => Reflect.apply(create, undefined, [options])).toThrow(
        /^The options should be an object, such as \{.* \}; got (null|a string)\.$/,
      )
    }
  })
})
