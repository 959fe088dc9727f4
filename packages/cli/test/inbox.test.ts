import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DATABASE_URL, postgresProblem, queryPostgres } from '@webhook-receiver/checks/postgres.mjs'
import { postgresInbox } from '@webhook-receiver/inbox'
import pg from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { folder } from './folder.ts'
import { invoke, start } from './invoke.ts'

const unreachable = await postgresProblem()
const table = `inbox_test_${randomBytes(8).toString('hex')}`
const env = { DATABASE_URL }
const pool = new pg.Pool({ connectionString: DATABASE_URL })

afterAll(async () => {
  if (unreachable === undefined)
    await queryPostgres(`DROP TABLE IF EXISTS ${table}, ${table}_open, ${table}_ended`)
  await pool.end()
})

const run = (...args: readonly string[]) => invoke(['inbox', ...args, '--table', table], { env })

/** A delivery, and how it was verified. */
function delivered(id: string) {
  const event = 'message.received'
  const data = { instance_id: 'inst_1', event, data: { text: 'private' }, timestamp: 'now' }
  const delivery = { known: true, id, event, created_at: 'now', data }
  return [delivery, { verification: { endpoint: 'default', key: id } }] as const
}

const databaseUrl = (changed: Partial<URL>) => Object.assign(new URL(DATABASE_URL), changed).href

const spaced = (text: string) => text.replaceAll(/\s+/g, ' ')

const PATIENCE = { timeout: 120_000 }

describe.skipIf(unreachable !== undefined)('inbox', () => {
  test('lists a dead letter with its error and without its content, shows it, and retries it', async () => {
    let cured = false
    const inbox = postgresInbox({
      ...{ pool, table, attempts: 1, onError: () => {} },
      services: {
        messages: {
          handlers: ({ id }) => {
            if (!cured && id === 'two') throw new Error('The ledger is closed.\u001b[2J')
          },
        },
      },
    })
    await inbox.setup()
    const worker = await inbox.work()
    for (const id of ['one', 'two']) await inbox.receive('messages')(...delivered(id))
    const [letter] = await vi.waitFor(async () => {
      const dead = await inbox.list({ state: 'dead' })
      expect(dead).toHaveLength(1)
      expect(await inbox.list({ state: 'done' })).toHaveLength(1)
      return dead
    }, PATIENCE)
    const id = letter?.id ?? ''
    expect(await run()).toMatchObject({
      ...{
        code: 0,
        err: `See why: npx webhook-receiver inbox list --state dead --table ${table}\n`,
      },
      out: 'messages  0 waiting  0 running  1 dead\n',
    })
    expect((await run('--json')).json).toEqual([
      { service: 'messages', waiting: 0, running: 0, dead: 1, oldestDue: 0 },
    ])
    const coloured = await invoke(['inbox', '--table', table], {
      env: { ...env, FORCE_COLOR: '1' },
    })
    expect(coloured.out).toBe('messages  0 waiting  0 running  \u001b[31m1 dead\u001b[39m\n')
    const listed = await run('list', '--state', 'dead')
    expect(listed).toMatchObject({
      ...{
        code: 0,
        err: `Handle them again: npx webhook-receiver inbox retry --state dead --table ${table}\n`,
      },
    })
    const ofService = await run('list', '--state', 'dead', '--service', 'messages')
    expect(ofService.err).toContain(' inbox retry --state dead --service messages --table ')
    expect(listed.out).toMatch(
      new RegExp(
        `^${id}  dead  messages  message\\.received  1 attempt  .*\\n  .*The ledger is closed\\.`,
      ),
    )
    expect(listed.out).not.toContain('\u001b')
    const latest = await run('list', '--limit', '1')
    expect(latest.err).toMatch(/^Older ones: add --before \d+\n$/)
    const misspelt = await run('list', '--service', 'mesages')
    expect(misspelt).toMatchObject({
      ...{ code: 0, out: '' },
      err: 'The inbox has nothing of "mesages". It has: messages.\n',
    })
    const all = await run('list', '--json')
    expect(all.json).toHaveLength(2)
    expect(all.out).not.toContain('private')
    const shown = await run('show', id)
    expect(JSON.parse(shown.out)).toMatchObject({ id, delivery: { id: 'two' } })
    const newer = await run('retry', '--state', 'dead', '--service', 'messages', '--after', id)
    expect(newer.err).toBe('1 is dead.\nThere is nothing to retry.\n')
    cured = true
    const none = await run('retry', '--state', 'dead', '--service', 'mesages')
    expect(none.err).toBe('The inbox has nothing of "mesages". It has: messages.\n')
    expect(await run('retry', id)).toMatchObject({ code: 0, err: `${id} will be handled again.\n` })
    await vi.waitFor(
      async () => expect(await inbox.list({ state: 'done' })).toHaveLength(2),
      PATIENCE,
    )
    await worker.stop()
    expect(await run()).toMatchObject({ out: '', err: 'Nothing waits, and nothing is dead.\n' })
    expect((await run('list', '--state', 'dead')).err).toBe('Nothing is dead.\n')
    expect((await run('list', '--service', 'messages', '--state', 'running')).err).toBe(
      'Nothing is running.\n',
    )
  })

  test('retries the dead, the oldest first, shows its progress, and continues behind --after', async () => {
    const handled: unknown[] = []
    let broken = true
    const inbox = postgresInbox({
      ...{ pool, table, attempts: 1, onError: () => {} },
      services: {
        orders: {
          key: () => 'one',
          handlers: ({ id }) => {
            if (broken) throw new Error('The ledger is closed.')
            handled.push(id)
          },
        },
      },
    })
    await inbox.setup()
    const worker = await inbox.work()
    for (let at = 0; at < 150; at++) await inbox.receive('orders')(...delivered(`m${at}`))
    const dead = () => inbox.list({ state: 'dead', service: 'orders', limit: 1000 })
    await vi.waitFor(async () => expect(await dead()).toHaveLength(150), PATIENCE)
    broken = false
    const third = (await dead()).at(-3)?.id ?? ''
    const many = ['retry', '--state', 'dead', '--service', 'orders', '--rate', '10000']
    const first = await run(...many, '--before', third)
    expect(first).toMatchObject({ code: 0, out: '' })
    expect(first.err).toMatch(/^150 are dead\.\n2 will be handled again \(up to id \d+\)\.\n$/)
    const rest = await run(...many)
    expect(rest.err.split('\n').at(-2)).toMatch(/^148 will be handled again \(up to id \d+\)\.$/)
    await vi.waitFor(() => expect(handled).toHaveLength(150), PATIENCE)
    expect(handled).toEqual(Array.from({ length: 150 }, (_, at) => `m${at}`))
    const nothing = await run('retry', '--state', 'dead', '--service', 'orders')
    expect(nothing.err).toBe('There is nothing to retry.\n')
    expect((await run(...many, '--after', third, '--json')).json).toEqual([{ retried: 0 }])
    await worker.stop()
  })

  test('stops a retry of many at Ctrl-C, and says where to continue', async () => {
    const inbox = postgresInbox({
      ...{ pool, table, attempts: 1, onError: () => {} },
      services: {
        refunds: {
          handlers: () => {
            throw new Error('The ledger is closed.')
          },
        },
      },
    })
    await inbox.setup()
    const worker = await inbox.work()
    for (const id of ['one', 'two', 'three']) await inbox.receive('refunds')(...delivered(id))
    const dead = () => inbox.list({ state: 'dead', service: 'refunds' })
    await vi.waitFor(async () => expect(await dead()).toHaveLength(3), PATIENCE)
    await worker.stop()
    const oldest = (await dead()).at(-1)?.id
    const args = ['inbox', 'retry', '--state', 'dead', '--service', 'refunds', '--rate', '1']
    const running = start([...args, '--table', table], { env })
    await running.until(/1 will be handled again/)
    running.interrupt()
    const { code, err } = await running.ended
    expect({ code, err }).toEqual({
      code: 130,
      err: `3 are dead.\n1 will be handled again (up to id ${oldest}).\nInterrupted.\n  Continue with --after ${oldest}.\n`,
    })
    expect(await dead()).toHaveLength(2)
    expect((await run('retry', oldest ?? '')).err).toBe(
      `${oldest} is waiting: only what is dead or done can be retried.\n`,
    )
  })

  test('says what is not there, and what PostgreSQL says, with 1', async () => {
    const missing = { code: 1, err: '999999 is not in the inbox.\n' }
    expect(await run('retry', '999999')).toMatchObject(missing)
    expect(await run('show', '999999')).toMatchObject(missing)
    const other = await invoke(['inbox', 'list', '--table', `${table}_other`], { env })
    expect(other).toMatchObject({ code: 1 })
    expect(other.err).toContain(`The inbox ${table}_other is not in this database`)
  })

  test.each([
    ['shwo 17', 'There is no action "shwo". Did you mean "show"?'],
    ['drop', 'There is no action "drop". Use list, show or retry.'],
    ['17', 'There is no action "17". Use inbox show 17.'],
    ['dead', 'There is no action "dead". Use inbox list --state dead.'],
    ['list dead', '"dead" is not an id. Use inbox list --state dead.'],
    ['retry dead', '"dead" is not an id. Use inbox retry --state dead.'],
    ['retry 17,18', '"17,18" is not an id. Put spaces between ids.'],
    ['show one', '"one" is not an id, such as 17. inbox list has them.'],
    ['list 17', 'list takes no ids. Use inbox show 17.'],
    ['list all', 'list takes no ids.'],
    ['count 17', 'count takes no ids. Use inbox show 17.'],
    ['1 2', 'There is no action "1". Use inbox show 1 2.'],
    ['show', 'show needs ids, such as inbox show 17. inbox list has them.'],
    ['retry', 'retry needs ids, or --state dead.'],
    ['retry --service stripe', 'retry needs ids, or --state dead.'],
    ['retry 17 --state dead', 'Use ids or --state, not both.'],
    ['retry 17 --service stripe', 'Use ids or --service, not both.'],
    ['--state dead', '--state is for list and retry.'],
    ['list --after 100', '--after is for retry.'],
    ['retry --state dead --limit 5', '--limit is for list.'],
    ['show 17 --rate 5', '--rate is for retry.'],
    ['retry --state waiting', "--state should be 'dead' or 'done'"],
    ['list --before one', '--before should be the id of an entry'],
    ['list --service a/b', '--service should be'],
  ])('rejects %s with 2, and names the mistake', async (args, why) => {
    const { code, err } = await run(...args.split(' '))
    expect({ code, err: spaced(err) }).toEqual({ code: 2, err: expect.stringContaining(why) })
  })

  test('rejects a wrong name of the table with 2', async () => {
    const { code, err } = await invoke(['inbox', 'list', '--table', 'a b'], { env })
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('--table should be') })
  })

  test.each([
    [
      1,
      databaseUrl({ pathname: '/nowhere' }),
      'database "nowhere" does not exist. Correct the name of the database in',
    ],
    [1, databaseUrl({ username: 'nobody' }), 'Correct the user or password in DATABASE_URL.'],
    [
      1,
      'postgres://127.0.0.1:1/test',
      'nothing listens at 127.0.0.1:1. Start it, or correct host and port in DATABASE_URL.',
    ],
    [2, 'mysql://127.0.0.1:1/test', 'DATABASE_URL should begin with postgres://.'],
    [2, 'postgres://me:a#b@127.0.0.1/test', 'In a password, write # as %23 and / as %2F.'],
  ])('ends with %i and the fix for DATABASE_URL=%s', async (expected, url, fix) => {
    const { code, err } = await invoke(['inbox'], { env: { DATABASE_URL: url } })
    expect({ code, err: spaced(err) }).toEqual({
      code: expected,
      err: expect.stringContaining(fix),
    })
  })

  test('takes the database from the .env of the folder', async () => {
    const path = await folder()
    await mkdir(join(path, 'node_modules/pg'), { recursive: true })
    const client = createRequire(import.meta.url).resolve('pg')
    await writeFile(
      join(path, 'node_modules/pg/index.js'),
      `module.exports = require(${JSON.stringify(client)})`,
    )
    await writeFile(join(path, '.env'), 'DATABASE_URL=postgres://127.0.0.1:1/theirs')
    vi.spyOn(process, 'cwd').mockReturnValue(path)
    const { err } = await invoke(['inbox', '--table', table], { env: {} })
    expect(err).toContain('PostgreSQL: nothing listens at 127.0.0.1:1')
    expect((await run()).code).toBe(0)
  })

  test('says that no database is named where none is', async () => {
    for (const name of ['PGHOST', 'PGUSER', 'PGDATABASE', 'PGPASSWORD']) vi.stubEnv(name, undefined)
    vi.stubEnv('PGPORT', '1')
    const { code, err } = await invoke(['inbox'], { env: {} })
    expect(code).toBe(2)
    expect(err).toContain('No database is named: set DATABASE_URL in the environment or .env.')
  })

  test('without pg in the folder it says what to install', async () => {
    const empty = await folder()
    vi.spyOn(process, 'cwd').mockReturnValue(empty)
    const { code, err } = await run('list')
    expect(code).toBe(2)
    const said = spaced(err)
    expect(said).toContain(`The client of PostgreSQL cannot be loaded from ${empty}: Cannot find`)
    expect(said).toContain('npm install pg')
  })
})
