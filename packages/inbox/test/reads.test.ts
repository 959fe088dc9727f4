import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrationOf } from '../src/schema.ts'
import { type Statements, statementsFor } from '../src/statements.ts'
import { withPostgres } from './fixture.ts'
import { DATABASE_URL, tables, tablesOfInbox } from './inboxes.ts'

/** In full: `EVERYTHING=1 npx vitest run packages/inbox/test/reads.test.ts`. */
const FULL = process.env.EVERYTHING === '1'
const WAITING = FULL ? 100_000 : 10_000
const OTHERS = FULL ? 1_000_000 : 20_000

/** What a statement may read, in pages of 8 KiB: all that waits fills several times as many. */
const FEW = 100

/** For how many deliveries PostgreSQL expects one or two that are due, as long as it knows nothing of the tables. */
const UNKNOWN = 3000

/** What an operator asks for. Of what runs there is no index, which each claim would have to write. */
const LISTED = [
  ['', ''],
  ['waiting', ''],
  ['waiting', 'stripe'],
  ['', 'stripe'],
  ['dead', ''],
] as const

const CLAIM = [4, 5, 'token', 60, 0, 'stripe', 4]

const NEXT = [5, 'follows', 0, 'stripe', 1]

withPostgres('what a statement reads', () => {
  const { table } = tables()
  const statements = statementsFor(table, 1)
  const clients: pg.Client[] = []

  /** Three deliveries, two of them with a key. */
  const added = (key: string) =>
    JSON.stringify(
      [key, key, ''].map((lane) => {
        return { key: randomUUID(), lane, service: 'stripe', delivery: '{}' }
      }),
    )

  /** A connection whose statements are planned for what there is now. */
  async function plan() {
    const client = new pg.Client({ connectionString: DATABASE_URL })
    clients.push(client)
    await client.connect()
    const send = (name: keyof Statements, ...values: unknown[]) =>
      client.query({ ...statements[name], values })
    for (let times = 0; clients.length > 1 && times < 8; times++) {
      await send('claim', ...CLAIM)
      await send('hold', '1', 'token', '60000', 'done')
      await send('next', '', ...NEXT)
      await send('follow', 'token', '60000')
      // They fail where there is nothing to end, and have a plan then.
      const ending = ['1', 'token', 'done', '', 0, '']
      await send('end', ...ending).catch(() => {})
      await send('endNext', ...ending, ...NEXT).catch(() => {})
      await send('add', added('another'))
    }
    return client
  }

  beforeAll(async () => {
    const client = await plan()
    await client.query(migrationOf({ table }))
    // Nothing is known of them until the test says ANALYZE.
    for (const name of tablesOfInbox(table).split(', ')) {
      await client.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`)
    }
    await plan()
    await fill(client, UNKNOWN, 'stripe', 'NULL', 'now()')
    await plan()
  })
  afterAll(async () => {
    await clients[0]?.query(`DROP TABLE ${tablesOfInbox(table)}`)
    await Promise.all(clients.map((client) => client.end()))
  })

  /** Stores so many. `lane` and `due` are expressions of SQL. */
  const fill = (client: pg.Client, count: number, service: string, lane: string, due: string) =>
    client.query(`WITH stored AS (
      INSERT INTO ${table} (key, lane, service, delivery)
      SELECT md5(random()::text || n), ${lane}, '${service}', '{}' FROM generate_series(1, ${count}) AS n RETURNING *
    )
    INSERT INTO ${table}_open (id, service, lane, due, attempts) SELECT id, service, lane, ${due}, 1 FROM stored`)

  /** The pages that a statement reads by the plan which the client has for it. */
  async function read(client: pg.Client, name: keyof Statements, ...values: unknown[]) {
    const literals = values.map((value) => client.escapeLiteral(String(value)))
    const { name: prepared, text } = statements[name]
    const sent = prepared
      ? `EXECUTE "${prepared}" (${literals})`
      : text.replaceAll(/\$(\d)/g, (_, at) => String(literals[at - 1]))
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sent}`)
    const [{ Plan: top }] = rows[0]['QUERY PLAN']
    return top['Shared Hit Blocks'] + top['Shared Read Blocks']
  }

  /** Handles the oldest, which others sleep behind, and one that follows it, and returns what that reads. */
  async function handle(client: pg.Client) {
    const add = await read(client, 'add', added('busy'))
    const claim = await read(client, 'claim', ...CLAIM)
    const { rows } = await client.query(
      `SELECT id FROM ${table}_open WHERE token = 'token' AND lease > now() ORDER BY lane LIMIT 1`,
    )
    const id = rows[0].id
    await client.query('BEGIN')
    const hold = await read(client, 'hold', id, 'token', '60000', 'done')
    const began = async () =>
      (await client.query('SELECT extract(epoch FROM now())::text AS since')).rows[0].since
    const end = await read(client, 'end', id, 'token', 'done', '', 0, await began())
    const next = await read(client, 'next', await began(), ...NEXT)
    await client.query('COMMIT AND CHAIN')
    const follow = await read(client, 'follow', 'follows', '60000')
    const { rows: held } = await client.query(
      "SELECT current_setting('webhook_receiver.claimed') AS id",
    )
    const ending = [held[0].id, 'follows', 'done', '', 0, await began()]
    const endNext = await read(client, 'endNext', ...ending, ...NEXT)
    await client.query('COMMIT')
    return Object.values({ add, claim, hold, end, next, follow, endNext })
  }

  test(`is little beside ${WAITING} keys in back-off, as many that are due or sleep, and ${OTHERS} of another service`, async () => {
    const few: unknown = expect.toSatisfy((pages: number) => pages < FEW, `fewer than ${FEW} pages`)
    const all = Array(7).fill(few)
    const [first, ...workers] = clients as [pg.Client, ...pg.Client[]]
    await fill(
      first,
      WAITING,
      'stripe',
      "hashtextextended('busy', 0)",
      "CASE WHEN id = (SELECT min(id) FROM stored) THEN '-infinity'::timestamptz END",
    )
    await fill(first, WAITING, 'stripe', 'n', "now() + interval '1 hour'")
    await fill(first, WAITING, 'stripe', 'NULL', 'now()')
    await fill(first, OTHERS, 'billing', 'NULL', "now() - interval '1 minute'")
    for (const worker of workers) expect(await handle(worker)).toEqual(all)
    await first.query(`ANALYZE ${tablesOfInbox(table)}`)
    for (const listed of LISTED)
      expect(await read(first, 'list', ...listed, '', 10), `${listed}`).toEqual(few)
    expect(await handle(await plan())).toEqual(all)
  })
})
