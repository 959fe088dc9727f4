import { openSqlite } from '@webhook-receiver/checks/sqlite.mjs'
import { describeTables } from '@webhook-receiver/suites/stores'
import { describe, expect, test } from 'vitest'
import {
  migrate,
  migrationOf,
  type SqliteDatabase,
  sqliteStore,
  sqliteTransactionalStore,
} from '../src/index.ts'

/** A connection whose keys are all taken, and which returns these rows for each SELECT. */
function returning(rows: unknown[]): SqliteDatabase {
  return {
    exec() {},
    prepare: (sql) => ({
      all: () => (sql.startsWith('SELECT') ? rows : [{ timeout: 0 }]),
      run: () => ({ changes: 0 }),
    }),
  }
}

/** A connection on which this is done before each transaction. */
function beginning(begin: () => void): SqliteDatabase {
  return {
    exec(sql) {
      if (sql.includes('BEGIN IMMEDIATE')) begin()
    },
    prepare: () => ({ all: () => [], run: () => ({ changes: 1 }) }),
  }
}

const memory = openSqlite(':memory:')
const hour = Date.now() + 3_600_000

describeTables({
  readme: new URL('../README.md', import.meta.url),
  migrationOf,
  open: (table) => sqliteStore({ database: memory, table }),
  exec: (sql) => memory.exec(sql),
  count: (table) => memory.prepare(`SELECT key FROM "${table}"`).all().length,
  fill: (
    table,
  ) => `INSERT INTO ${table} WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2400)
      SELECT 'old ' || n, 't', n % 2, ${Date.now() - 1000} FROM n;
    INSERT INTO ${table} VALUES ('done', 't', 1, ${hour}), ('leased', 't', 0, ${hour})`,
  names: ['webhook_deliveries', 'Plain', 'order', 'n'.repeat(50)],
  wrongNames: ['', 'a-b', '1a', 'a"b', 'ä', 'SQLite_a', 7],
})

test('migrate makes the table, with an index by which expired rows are found', async () => {
  await migrate(memory)
  const plan = memory
    .prepare('EXPLAIN QUERY PLAN SELECT key FROM webhook_deliveries WHERE expires_at <= ?')
    .all(1)
  expect(JSON.stringify(plan)).toContain('webhook_deliveries_expires_at')
})

describe('both stores', () => {
  test.each([
    [{}, '`database` should be a connection of node:sqlite or better-sqlite3, such as new'],
    [{ database: { exec: fetch } }, 'got an object.'],
    [
      { database: returning([]), busyTimeout: 0 },
      '`busyTimeout` should be a number of seconds above',
    ],
    [
      { database: returning([]), ttl: 1 },
      'There is no option "ttl". The options are: database, table, busyTimeout, retention.',
    ],
  ])('reject the options %j', (options, message) => {
    for (const create of [sqliteStore, sqliteTransactionalStore]) {
      const creating = () => Reflect.apply(create, undefined, [options])
      expect(creating).toThrow(message)
    }
  })
})

describe('sqliteStore', () => {
  /** Counts the transactions of a database in which no row can be written for the key `bad`. */
  function counting() {
    const database = openSqlite(':memory:')
    database.exec(migrationOf())
    database.exec(`CREATE TRIGGER reject BEFORE INSERT ON webhook_deliveries WHEN NEW.key = 'bad'
      BEGIN SELECT RAISE(ABORT, 'a bad key'); END`)
    const begun: string[] = []
    const exec = (sql: string) => {
      if (sql.includes('BEGIN')) begun.push(sql)
      return database.exec(sql)
    }
    const store = sqliteStore({ database: { exec, prepare: (sql) => database.prepare(sql) } })
    const marks = () => database.prepare('SELECT key, done FROM webhook_deliveries').all().length
    return { begun, store, marks, close: () => database.close() }
  }

  test('runs the steps that were made together in one transaction', async () => {
    const { begun, store, marks, close } = counting()
    const claims = Array.from({ length: 10 }, (_, key) => store.claim(`${key}`, 'token', 30))
    const copy = store.claim('3', 'other', 30)
    expect(await Promise.all(claims)).toEqual(Array(10).fill({ status: 'claimed' }))
    expect(await copy).toMatchObject({ status: 'in_progress' })
    expect([begun.length, marks()]).toEqual([1, 10])
    close()
  })

  test('rejects a step that fails, and none of those that were made with it', async () => {
    const { begun, store, marks, close } = counting()
    const claim = async (key: string) => store.claim(key, 'token', 30)
    const claims = await Promise.allSettled(['a', 'bad', 'b'].map(claim))
    expect(claims).toEqual([
      { status: 'fulfilled', value: { status: 'claimed' } },
      { status: 'rejected', reason: expect.objectContaining({ message: 'a bad key' }) },
      { status: 'fulfilled', value: { status: 'claimed' } },
    ])
    expect([begun.length, marks()]).toEqual([4, 2])
    close()
  })

  test.each([[[{ token: 'token' }]], [[null]]])(
    'rejects rows that should not be: %j',
    async (rows) => {
      const store = sqliteStore({ database: returning(rows) })
      await expect(store.claim('key', 'token', 1)).rejects.toThrow('A row has no `expires_at`.')
    },
  )

  test.each([
    { errcode: 517, code: 'ERR_SQLITE_ERROR' },
    { code: 'SQLITE_BUSY_RECOVERY' },
    { message: 'database is locked', code: 'ERR_SQLITE_ERROR' },
  ])('waits while the database reports %j', async (reason) => {
    let times = 0
    const database = beginning(() => {
      if (times++ < 3) throw Object.assign(new Error(), reason)
    })
    const claim = sqliteStore({ database }).claim('key', 'token', 1)
    expect(await claim).toEqual({ status: 'claimed' })
    expect(times).toBe(4)
  })

  test.each([Object.assign(new Error('disk I/O error'), { errcode: 10 }), 'gone'])(
    'rejects with any other error as it is: %s',
    async (error) => {
      const database = beginning(() => {
        throw error
      })
      const completed = sqliteStore({ database }).complete('key', 'token')
      await expect(completed).rejects.toBe(error)
    },
  )
})

describe('sqliteTransactionalStore', () => {
  test.each([
    ['returns', async () => {}, 'Read what `iterate()` returns to its end'],
    ['throws', () => Promise.reject(new Error('mine')), 'busy executing a query'],
  ])(
    'does no more than reject while an iterator of a handler that %s is open, as better-sqlite3 does',
    async (_, end, message) => {
      const connection = openSqlite(':memory:')
      await migrate(connection)
      let isOpen = false
      const database: SqliteDatabase = {
        exec(sql) {
          if (isOpen) throw new TypeError('This database connection is busy executing a query')
          return connection.exec(sql)
        },
        prepare: (sql) => ({
          all: (...values) => connection.prepare(sql).all(...values),
          run: (...values) => {
            database.exec('')
            return connection.prepare(sql).run(...values)
          },
        }),
      }
      const store = sqliteTransactionalStore({ database })
      const iterating = store.transact('key', () => {
        isOpen = true
        return end()
      })
      await expect(iterating).rejects.toThrow(message)
      await expect(store.transact('other', () => expect.unreachable())).rejects.toThrow('busy')
      isOpen = false
      expect(await store.transact('key', async () => {})).toEqual({ status: 'claimed' })
      connection.close()
    },
  )
})
