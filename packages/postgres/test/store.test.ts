import { PGlite } from '@electric-sql/pglite'
import { describeTables } from '@webhook-receiver/suites/stores'
import { expect, test } from 'vitest'
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
  ) => `INSERT INTO ${table} SELECT 'old ' || n, 't', n % 2 = 0, now() - interval '1 s' FROM generate_series(1, 2400) AS n;
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

/** Another claim stands in the way, of which each of these results tells, and the last one again and again. */
function finding(...results: unknown[]) {
  let asked = 0
  const store = postgresStore({
    query: async (text) =>
      (text.startsWith('SELECT') ? results[Math.min(asked++, results.length - 1)] : []) as never,
  })
  return { claim: () => store.claim('key', 'token', 1), asked: () => asked }
}

test.each([
  [[]],
  [[null]],
  [[{ status: 'lost', remaining: 1 }]],
  [[{ status: 'in_progress', remaining: 'soon' }]],
])('a claim rejects rows that should not be: %j', async (rows) => {
  await expect(finding(rows).claim()).rejects.toThrow(
    'The result of a claim has no row with `status` and `remaining`.',
  )
})

const again = [{ status: 'again', remaining: 1 }]

test.each([
  [[again, [{ status: 'done', remaining: 9 }]], { status: 'done' }, 2],
  [[again], { status: 'in_progress', retryAfter: 1 }, 5],
  // The last moment of a lease is more than nothing.
  [
    [[{ status: 'in_progress', remaining: -0.01 }]],
    { status: 'in_progress', retryAfter: 0.001 },
    1,
  ],
])('a claim that finds %j returns %j after %i tries', async (results, claimed, tries) => {
  const { claim, asked } = finding(...results)
  expect(await claim()).toEqual(claimed)
  expect(asked()).toBe(tries)
})

/** Every step of a store whose client has this result. */
const stepsWith = (result: () => unknown) => {
  const store = postgresStore({ query: async () => result() as never })
  return [store.complete('k', 't'), store.extend('k', 't', 1), store.release('k', 't')]
}

test.each([[null], [[[], 0]], [[[{ key: 'key' }], 1]], [[{ affectedRows: 1 }]]])(
  'rejects a result without rows: %j',
  async (result) => {
    const store = postgresStore({ query: async () => result as never })
    const others = [store.claim('key', 'token', 1), store.forget('key')]
    for (const step of [...stepsWith(() => result), ...others]) {
      await expect(step).rejects.toThrow(
        '`query` resolved to neither rows nor an object with `rows`.',
      )
    }
  },
)

test.each([
  [[], false],
  [{ rows: [] }, false],
  [[{ key: 'key' }], true],
  [{ rows: [{ key: 'key' }] }, true],
])('takes the result %j as it is', async (result, changed) => {
  const results = await Promise.all(stepsWith(() => result))
  expect(results).toEqual([changed, changed, changed])
})

test('claims nothing where it cannot sweep', async () => {
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
  [{}, 'The store needs `pool`, such as a Pool of pg, or for another client `query`.'],
  [{ query: 1 }, '`query` should be a function, such as (text, values) => sql.unsafe('],
  [{ query: fetch, ttl: 1 }, 'There is no option "ttl".'],
])('rejects the options %j', (options, message) => {
  const create = () => postgresStore(Object(options))
  expect(create).toThrow(TypeError)
  expect(create).toThrow(message)
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
