import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DATABASE_URL, postgresProblem, queryPostgres } from '@webhook-receiver/checks/postgres.mjs'
import { postgresInbox } from '@webhook-receiver/inbox'
import pg from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { folder } from './folder.ts'
import { invoke, start, words } from './invoke.ts'

// `transcripts/command-line.txt` has what is wrong before a database is asked.

const unreachable = await postgresProblem()
const table = `inbox_test_${randomBytes(8).toString('hex')}`
const env = { DATABASE_URL }
const pool = new pg.Pool({ connectionString: DATABASE_URL })

afterAll(async () => {
  if (unreachable === undefined)
    await queryPostgres(`DROP TABLE IF EXISTS ${table}, ${table}_open, ${table}_ended`)
  await pool.end()
})

/** Runs the command with these words and the table. */
const run = (...args: Parameters<typeof words>) =>
  invoke(words`inbox ${words(...args)} --table ${table}`, { env })

const databaseUrl = (changed: Partial<URL>) => Object.assign(new URL(DATABASE_URL), changed).href

const PATIENCE = { timeout: 120_000 }

const WORKER = 'The worker of your application does that, so one has to run.\n'

/** An inbox that has received so many deliveries of a service, all handled in their order by a worker. The ids of those that `fails` are dead. */
async function worked(service: string, count: number, fails: (id: string) => boolean) {
  const handled: string[] = []
  const inbox = postgresInbox({
    ...{ pool, table, attempts: 1, onError: () => {} },
    services: {
      [service]: {
        key: () => 'one',
        handlers: ({ id }: { readonly id: string }) => {
          if (fails(id)) throw new Error('The ledger is closed.\u001b[2J')
          handled.push(id)
        },
      },
    },
  })
  await inbox.setup()
  const worker = await inbox.work()
  const event = 'message.received'
  const data = { instance_id: 'inst_1', event, data: { text: 'private' }, timestamp: 'now' }
  for (let at = 0; at < count; at++) {
    const delivery = { known: true, id: `m${at}`, event, created_at: 'now', data } as const
    const verification = { endpoint: 'default', key: `${service} m${at}` }
    // Like a service, it retries where a busy machine does not store it in time.
    await vi.waitFor(() => inbox.receive(service)(delivery, { verification }), PATIENCE)
  }
  const dead = () => inbox.list({ state: 'dead', service, limit: 1000 })
  await vi.waitFor(async () => expect((await dead()).length + handled.length).toBe(count), PATIENCE)
  return { worker, handled, dead }
}

describe.skipIf(unreachable !== undefined)('inbox', () => {
  test('lists a dead letter with its error and without its content, shows it, and retries it', async () => {
    let cured = false
    const { worker, handled, dead } = await worked('messages', 2, (id) => !cured && id === 'm1')
    const [{ id = '' } = {}] = await dead()
    expect(await run``).toMatchObject({
      ...{ code: 0, out: 'messages  0 waiting  0 running  1 dead\n' },
      err: `See why: npx webhook-receiver inbox list --state dead --table ${table}\n`,
    })
    expect((await run`--json`).json).toEqual([
      { service: 'messages', waiting: 0, running: 0, dead: 1, oldestDue: 0 },
    ])
    const coloured = await invoke(['inbox', '--table', table], {
      env: { ...env, FORCE_COLOR: '1' },
    })
    expect(coloured.out).toBe('messages  0 waiting  0 running  \u001b[31m1 dead\u001b[39m\n')
    const listed = await run`list --state dead --service messages`
    expect(listed).toMatchObject({
      code: 0,
      err: `Details of one: npx webhook-receiver inbox show ${id} --table ${table}\nHandle them again: npx webhook-receiver inbox retry --state dead --service messages --table ${table}\n`,
    })
    expect(listed.out).toMatch(
      new RegExp(
        `^${id}  dead  messages  message\\.received  1 attempt  .*\\n  .*The ledger is closed\\.`,
      ),
    )
    expect((await run`list --limit 1`).err).toMatch(
      /^Older ones: add --before \d+\nDetails of one: npx webhook-receiver inbox show \d+ --table \w+\n$/,
    )
    const misspelt = { out: '', err: 'The inbox has nothing of "mesages". It has: messages.\n' }
    expect(await run`list --service mesages`).toMatchObject(misspelt)
    expect(await run`retry --state dead --service mesages`).toMatchObject(misspelt)
    const all = await run`list --json`
    expect(all.json).toHaveLength(2)
    expect(all.out).not.toContain('private')
    const [shown = {}] = (await run`show ${id} --json`).json
    expect(shown).toMatchObject({ id, delivery: { id: 'm1' } })
    const { out } = await run`show ${id}`
    expect(out.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, 'TIME')).toBe(
      `${id}  messages  message.received
  state     dead
  attempts  1
  received  TIME
  gave up   TIME
  delivery  m1
  key       ${shown.key}

Last error
${String(shown.error).replace('\u001b', '\\u001b')}

Delivery
${JSON.stringify(shown.delivery, undefined, 2)}
`,
    )
    expect(shown.error).toMatch(/^Error: The ledger is closed\..*\n +at /)
    const newer = await run`retry --state dead --service messages --after ${id}`
    expect(newer.err).toBe('1 delivery is dead.\nThere is nothing to retry.\n')
    cured = true
    const again = `${id} will be handled again.`
    expect(await run`retry ${id}`).toMatchObject({ code: 0, err: `${again}\n${WORKER}` })
    await vi.waitFor(() => expect(handled).toEqual(['m0', 'm1']), PATIENCE)
    await vi.waitFor(
      async () => expect((await run`list --state done --json`).json).toHaveLength(2),
      PATIENCE,
    )
    await worker.stop()
    expect(await run``).toMatchObject({ out: '', err: 'Nothing waits, and nothing is dead.\n' })
    expect((await run`list --state dead`).err).toBe('Nothing is dead.\n')
    expect((await run`list --service messages --state running`).err).toBe('Nothing is running.\n')
    expect((await run`retry ${id}`).err).toBe(
      `${again} It was done: its effects repeat.\n${WORKER}`,
    )
    const done = await run`retry --state done`
    expect(done.err).toMatch(
      /^Handling again what is done repeats its effects\.\n1 will be handled again/,
    )
    expect((await run`list --state waiting --json`).json).toHaveLength(2)
  })

  test('retries the dead, the oldest first, shows its progress, and continues behind --after', async () => {
    let broken = true
    const { worker, handled, dead } = await worked('orders', 150, () => broken)
    broken = false
    const third = (await dead()).at(-3)?.id ?? ''
    const many = words`retry --state dead --service orders --rate 10000`
    const first = await run`${many} --before ${third}`
    expect(first).toMatchObject({ code: 0, out: '' })
    expect(first.err).toMatch(
      /^150 deliveries are dead\.\n2 will be handled again \(up to id \d+\)\.\nThe worker .*\n$/,
    )
    const rest = await run`${many}`
    expect(rest.err.split('\n').at(-3)).toMatch(/^148 will be handled again \(up to id \d+\)\.$/)
    await vi.waitFor(() => expect(handled).toHaveLength(150), PATIENCE)
    expect(handled).toEqual(Array.from({ length: 150 }, (_, at) => `m${at}`))
    expect((await run`${many}`).err).toBe('There is nothing to retry.\n')
    expect((await run`${many} --after ${third} --json`).json).toEqual([{ retried: 0 }])
    await worker.stop()
  })

  test('stops a retry of many at Ctrl-C, and says where to continue', async () => {
    const { worker, dead } = await worked('refunds', 3, () => true)
    await worker.stop()
    const oldest = (await dead()).at(-1)?.id
    const args = words`inbox retry --state dead --service refunds --rate 1`
    const running = start([...args, '--table', table], { env })
    await running.until(/1 will be handled again/)
    running.interrupt()
    const { code, err } = await running.ended
    expect({ code, err }).toEqual({
      code: 130,
      err: `3 deliveries are dead.\n1 will be handled again (up to id ${oldest}).\nInterrupted.\n  Continue with --after ${oldest}.\n`,
    })
    expect(await dead()).toHaveLength(2)
    expect((await run`retry ${oldest ?? ''}`).err).toBe(
      `${oldest} is waiting: only what is dead or done can be retried.\n`,
    )
  })

  test.each<[what: string, fix: string, args: string[], changed: Partial<URL>]>([
    ['an entry', 'is not in the inbox', ['retry', '999999'], {}],
    ['an entry', 'is not in the inbox', ['show', '999999'], {}],
    ['a table', `${table}_other is not in this database`, ['--table', `${table}_other`], {}],
    ['a database', 'Correct the name of the database in', [], { pathname: '/nowhere' }],
    ['a user', 'Correct the user or password in DATABASE_URL.', [], { username: 'nobody' }],
  ])('says that %s is not there: %s', async (_, fix, args, changed) => {
    const of = args.includes('--table') ? [] : ['--table', table]
    const DATABASE_URL = databaseUrl(changed)
    const { code, err } = await invoke(words`inbox ${args} ${of}`, { env: { DATABASE_URL } })
    expect({ code, err: err.replaceAll(/\s+/g, ' ') }).toEqual({
      ...{ code: 1, err: expect.stringContaining(fix) },
    })
  })

  test.each([
    ['retry --state waiting', "--state should be 'dead' or 'done'"],
    ['list --before one', '--before should be the id of an entry'],
    ['list --service a/b', '--service should be'],
  ])('rejects %s with 2, and names the mistake', async (args, why) => {
    const { code, err } = await run`${args.split(' ')}`
    expect([code, err]).toEqual([2, expect.stringContaining(why)])
  })

  test('takes the database from the .env of the folder, or says that none is named', async () => {
    const path = await folder()
    await mkdir(join(path, 'node_modules/pg'), { recursive: true })
    const client = createRequire(import.meta.url).resolve('pg')
    await writeFile(
      join(path, 'node_modules/pg/index.js'),
      `module.exports = require(${JSON.stringify(client)})`,
    )
    vi.spyOn(process, 'cwd').mockReturnValue(path)
    for (const name of ['PGHOST', 'PGUSER', 'PGDATABASE', 'PGPASSWORD']) vi.stubEnv(name, undefined)
    vi.stubEnv('PGPORT', '1')
    expect(await invoke(['inbox'], { env: {} })).toMatchObject({
      code: 2,
      err: expect.stringContaining('No database is named: set DATABASE_URL in the environment'),
    })
    await writeFile(join(path, '.env'), 'DATABASE_URL=postgres://127.0.0.1:1/theirs')
    const { err } = await invoke(['inbox'], { env: {} })
    expect(err.replaceAll(/\s+/g, ' ')).toContain(
      'nothing listens at 127.0.0.1:1. Start it, or correct host and port in DATABASE_URL.',
    )
    expect((await run``).code).toBe(0)
  })

  test('without pg in the folder it says what to install', async () => {
    const empty = await folder()
    vi.spyOn(process, 'cwd').mockReturnValue(empty)
    const { code, err } = await invoke(['inbox', 'list'], { env: {} })
    expect(code).toBe(1)
    const said = err.replaceAll(/\s+/g, ' ')
    expect(said).toContain(`The client of PostgreSQL cannot be loaded from ${empty}: Cannot find`)
    expect(said).toContain('npm install pg. No database is named: set DATABASE_URL')
  })
})
