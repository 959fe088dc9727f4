import { migrationOf, postgresInbox } from '@webhook-receiver/inbox'
import { creationLock, quotedTable } from '@webhook-receiver/postgres/internal'
import { stripe } from '@webhook-receiver/schemes'
import type pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { quiet, reached, store, until, withPostgres } from './fixture.ts'
import {
  createPool,
  poolWith,
  queryPostgres,
  tables,
  tablesOfInbox,
  unreachable,
} from './inboxes.ts'

const pool = createPool()
const created: string[] = []

function newInbox(own: pg.Pool = pool, { table } = tables()) {
  created.push(table)
  const services = { stripe: { scheme: stripe, handlers: quiet } }
  return { table, inbox: postgresInbox({ pool: own, table, services }) }
}

/** An inbox whose tables are there. */
async function setUp() {
  const own = newInbox()
  await own.inbox.setup()
  return own
}

afterAll(async () => {
  for (const table of unreachable === undefined ? created : [])
    await queryPostgres(`DROP TABLE IF EXISTS ${tablesOfInbox(table)}`)
  await pool.end()
})

withPostgres('setup', () => {
  test('takes no lock where nothing is missing, so that it waits for no VACUUM', async () => {
    const { table, inbox } = await setUp()
    const vacuum = await pool.connect()
    await vacuum.query("SET application_name = 'nightly'")
    await vacuum.query('BEGIN')
    for (const name of tablesOfInbox(table).split(', ')) {
      // The lock of VACUUM, ANALYZE and CREATE INDEX CONCURRENTLY.
      await vacuum.query(`LOCK TABLE ${name} IN SHARE UPDATE EXCLUSIVE MODE`)
    }
    await inbox.setup()
    await store(inbox, 'evt_1')
    expect(await inbox.list()).toHaveLength(1)
    // An index is missing: it gives up instead of holding up what is stored.
    await vacuum.query('ROLLBACK')
    await queryPostgres(`DROP INDEX ${table}_open_of`)
    await vacuum.query('BEGIN')
    await vacuum.query(`LOCK TABLE ${table}_open IN SHARE UPDATE EXCLUSIVE MODE`)
    await vacuum.query(`SELECT\n'private'`)
    const message = await inbox.setup().catch(({ message }) => message)
    const said = String(message).replaceAll(/\b\d+\b/g, 'N')
    expect(said.replaceAll(table, 'T')).toMatch(
      /holds a lock on the table T, so nothing was created\. Call setup\(\) again later\. It wanted to run: CREATE INDEX IF NOT EXISTS "T_open_of" ON "T_open"\. Who holds the lock: process N, application nightly, role \w+, idle in transaction, in a transaction of N s, ShareUpdateExclusiveLock on T_open, statement SELECT …$/,
    )
    await vacuum.query('ROLLBACK')
    vacuum.release(true)
    await inbox.setup()
    const name = `${table}_open_of`
    const found = await queryPostgres('SELECT to_regclass($1)::text AS name', [name])
    expect(found).toEqual([{ name }])
  })

  test('waits for another setup of the same table, however long, and not for that of another table', async () => {
    const impatient = poolWith('lock_timeout=1')
    const { table, inbox } = newInbox(impatient)
    const other = await pool.connect()
    const holdUp = (name: string) => other.query(`BEGIN; SELECT ${creationLock(quotedTable(name))}`)
    await holdUp(`public.${table}`)
    let settled = false
    const setting = inbox.setup().finally(() => {
      settled = true
    })
    const { rows } = await other.query('SELECT pg_backend_pid() AS pid')
    await until(async () => {
      const waiting =
        'SELECT pid FROM pg_locks WHERE NOT granted AND $1 = ANY (pg_blocking_pids(pid))'
      expect(await queryPostgres(waiting, [rows[0].pid])).toHaveLength(1)
    })
    expect(settled).toBe(false)
    await other.query('ROLLBACK')
    await setting
    await holdUp(`${table}_other`)
    await newInbox(impatient).inbox.setup()
    await other.query('ROLLBACK')
    other.release()
    await impatient.end()
  })

  test('works for a role that may create nothing', async () => {
    const { table } = await setUp()
    const role = `${table}_role`
    await queryPostgres(`CREATE ROLE ${role} LOGIN`)
    // Before PostgreSQL 15. Two runs of the tests must not change the same row of the catalogue.
    await queryPostgres(`DO $$ BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended('webhook-receiver:test', 0));
      IF has_schema_privilege('public', 'public', 'CREATE') THEN REVOKE CREATE ON SCHEMA public FROM PUBLIC; END IF;
    END $$`)
    const limited = poolWith(`role=${role}`)
    await newInbox(limited, { table, effects: '' }).inbox.setup()
    await expect(newInbox(limited).inbox.setup()).rejects.toThrow('permission denied for schema')
    await limited.end()
    await queryPostgres(`DROP ROLE ${role}`)
  })

  test('leaves alone what a newer release has added, and works on it during a deploy', async () => {
    const { table, inbox } = await setUp()
    const described = `SELECT obj_description('${table}'::regclass, 'pg_class') AS version`
    const version = async () => (await queryPostgres(described))[0]
    expect(await version()).toEqual({ version: '@webhook-receiver/inbox, version 1' })
    // As the next release would: columns with a default, and its version.
    for (const name of tablesOfInbox(table).split(', ')) {
      await queryPostgres(`ALTER TABLE ${name} ADD COLUMN next integer NOT NULL DEFAULT 0`)
    }
    const next = { version: '@webhook-receiver/inbox, version 2' }
    await queryPostgres(`COMMENT ON TABLE ${table} IS '${next.version}'`)
    await inbox.setup()
    expect(await version()).toEqual(next)
    await store(inbox, 'evt_1')
    const worker = await inbox.work()
    await reached(inbox, 'done', 1)
    await inbox.retry({ state: 'done' })
    await reached(inbox, 'done', 1)
    await worker.stop()
  })

  test('finds what migrationOf has created', async () => {
    const { table, inbox } = newInbox()
    for (const _ of [1, 2]) await queryPostgres(migrationOf({ table }))
    await inbox.setup()
    expect(await inbox.stats()).toMatchObject([{ service: 'stripe', waiting: 0 }])
  })
})
