import { PGlite } from '@electric-sql/pglite'
import { describeTables } from '@webhook-receiver/suites/stores'
import { describe, expect, test } from 'vitest'
import { migrate, migrationOf, postgresStore, type Query } from '../src/index.ts'

const db = new PGlite()
const query: Query = (text, values) => db.query(text, values)
const name = 'n'.repeat(50)
await db.exec(`CREATE SCHEMA hooks; CREATE SCHEMA ${name}`)

describeTables({
  readme: new URL('../README.md', import.meta.url),
  migrationOf,
  open: (table) => postgresStore({ query, table }),
  exec: (sql) => db.exec(sql),
  async count(table) {
    const quoted = `"${table.replace('.', '"."')}"`
    const { rows } = await db.query<{ count: number }>(`SELECT count(*)::int FROM ${quoted}`)
    return rows[0]?.count
  },
  fill: (
    table,
  ) => `INSERT INTO ${table} SELECT 'old ' || n, 't', n % 2 = 0, now() - interval '1 s' FROM generate_series(1, 600) AS n;
    INSERT INTO ${table} VALUES ('done', 't', true, now() + interval '1 h'), ('leased', 't', false, now() + interval '1 h')`,
  // With upper case, a word of SQL, the longest, and in a schema.
  names: ['Plain', 'order', 'hooks.user', `${name}.${name}`],
  wrongNames: [
    ...['', 'a b', '1a', 'a"b', 'a.b.c', '.a', 'a;--', 't.', ['t'], `${name}n`, `t.${name}n`],
  ],
})

test('migrate makes the table, with an index by which expired rows are found', async () => {
  const table = 'a'.repeat(50)
  await migrate(query, { table })
  const indexes = await db.query('SELECT indexname FROM pg_indexes WHERE tablename = $1', [table])
  expect(indexes.rows).toContainEqual({ indexname: `${table}_expires_at` })
})

describe('postgresStore', () => {
  /** Another claim stands in the way, of which these rows tell. */
  const returning = (rows: unknown) =>
    postgresStore({
      query: (text) => Promise.resolve(text.startsWith('SELECT') ? rows : []) as never,
    })

  test.each([
    [[]],
    [[null]],
    [[{ status: 'lost', remaining: 1 }]],
    [[{ status: 'in_progress', remaining: 'soon' }]],
  ])('rejects rows that should not be: %j', async (rows) => {
    await expect(returning(rows).claim('key', 'token', 1)).rejects.toThrow(
      'The result of a claim has no row with `status` and `remaining`.',
    )
  })

  test.each([[null], [[[], 0]], [[[{ key: 'key' }], 1]], [[{ affectedRows: 1 }]]])(
    'rejects a result without rows: %j',
    async (result) => {
      const store = postgresStore({ query: async () => result as never })
      for (const step of [
        store.claim('key', 'token', 1),
        store.extend('key', 'token', 1),
        store.complete('key', 'token'),
        store.release('key', 'token'),
        store.forget('key'),
      ]) {
        await expect(step).rejects.toThrow(
          '`query` resolved to neither rows nor an object with `rows`.',
        )
      }
    },
  )

  test('makes a claim again that another overtook, and then calls it in progress', async () => {
    const results = [
      { status: 'again', remaining: 1 },
      { status: 'done', remaining: 9 },
    ]
    let asked = 0
    const store = postgresStore({
      query: async (text) => (text.startsWith('SELECT') ? [results[asked++] ?? results[0]] : []),
    })
    expect(await store.claim('key', 'token', 1)).toEqual({ status: 'done' })
    expect(asked).toBe(2)
    expect(await store.claim('key', 'token', 1)).toEqual({ status: 'in_progress', retryAfter: 1 })
    expect(asked).toBe(7)
  })

  test('gives the last moment of a lease as more than nothing', async () => {
    const claim = await returning([{ status: 'in_progress', remaining: -0.01 }]).claim('k', 't', 1)
    expect(claim).toEqual({ status: 'in_progress', retryAfter: 0.001 })
  })

  test('rejects where `query` throws, and claims nothing where it cannot sweep', async () => {
    const sent: string[] = []
    const store = postgresStore({
      query: (text) => {
        sent.push(text)
        throw new Error('permission denied')
      },
    })
    await expect(store.claim('key', 'token', 1)).rejects.toThrow('permission denied')
    expect(sent).toEqual([expect.stringMatching(/^DELETE .*SKIP LOCKED/s)])
  })

  test.each<[unknown, string]>([
    [undefined, 'such as { pool }'],
    [{}, 'The store needs `pool`, such as a Pool of pg, or for another client `query`.'],
    [{ query: 1 }, '`query` should be a function, such as (text, values) => sql.unsafe('],
    [
      { query: fetch, ttl: 1 },
      'There is no option "ttl". The options are: pool, query, table, retention',
    ],
  ])('rejects the options %j', (options, message) => {
    const create = () => Reflect.apply(postgresStore, undefined, [options])
    expect(create).toThrow(TypeError)
    expect(create).toThrow(message)
  })

  test('takes rows as they are, and in an object', async () => {
    for (const rows of [[], [{ key: 'key' }]]) {
      for (const result of [rows, { rows }]) {
        const store = postgresStore({ query: async () => result })
        const steps = [store.complete('k', 't'), store.extend('k', 't', 1), store.release('k', 't')]
        expect(new Set(await Promise.all(steps))).toEqual(new Set([rows.length > 0]))
      }
    }
  })

  const missing = Object.assign(new Error('relation does not exist'), { code: '42P01' })

  test.each([
    ['pg', missing],
    ['Drizzle', new Error('Failed query: DELETE', { cause: missing })],
    ['Sequelize', Object.assign(new Error('relation does not exist'), { original: missing })],
    ['Prisma', Object.assign(new Error('Raw query failed. Code: `42P01`.'), { code: 'P2010' })],
  ])('names a table that is missing, and keeps the error of %s', async (_, cause) => {
    const store = postgresStore({ query: () => Promise.reject(cause) })
    await expect(store.complete('key', 'token')).rejects.toMatchObject({
      message: expect.stringContaining('The table "webhook_deliveries" does not exist'),
      code: '42P01',
      cause,
    })
  })

  test.each([Object.assign(new Error('x'), { code: '23505' }), null])(
    'rejects with any other error of the client as it is: %s',
    async (error) => {
      const store = postgresStore({ query: () => Promise.reject(error) })
      await expect(store.complete('key', 'token')).rejects.toBe(error)
    },
  )
})
