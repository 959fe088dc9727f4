import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DATABASE_URL, postgresProblem, queryPostgres } from '@webhook-receiver/checks/postgres.mjs'
import { postgresInbox } from '@webhook-receiver/inbox'
import pg from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { folder } from './folder.ts'
import { invoke } from './invoke.ts'

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
      ...{ code: 0, err: 'See them: webhook-receiver inbox list --state dead\n' },
      out: 'messages  0 waiting  0 running  1 dead\n',
    })
    expect((await run('--json')).json).toEqual([
      { service: 'messages', waiting: 0, running: 0, dead: 1, oldestDue: 0 },
    ])
    const listed = await run('list', '--state', 'dead')
    expect(listed).toMatchObject({ code: 0, err: '' })
    expect(listed.out).toMatch(
      new RegExp(
        `^${id}  dead  messages  message\\.received  1 attempt  .*\\n  .*The ledger is closed\\.`,
      ),
    )
    expect(listed.out).not.toContain('\u001b')
    const all = await run('list', '--json')
    expect(all.json).toHaveLength(2)
    expect(all.out).not.toContain('private')
    const shown = await run('show', id)
    expect(JSON.parse(shown.out)).toMatchObject({ id, delivery: { id: 'two' } })
    cured = true
    expect(await run('retry', id)).toMatchObject({ code: 0, err: `${id} will be handled again.\n` })
    await vi.waitFor(
      async () => expect(await inbox.list({ state: 'done' })).toHaveLength(2),
      PATIENCE,
    )
    await worker.stop()
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
    expect(nothing.err).toBe('0 are dead.\nThere is nothing to retry.\n')
    expect((await run(...many, '--after', third, '--json')).json).toEqual([{ retried: 0 }])
    await worker.stop()
  })

  test('says what is not there, and what PostgreSQL says, with 1', async () => {
    expect(await run('retry', '999999')).toMatchObject({
      code: 1,
      err: '999999 is neither dead nor done, or not there.\n',
    })
    expect(await run('show', '999999')).toMatchObject({
      code: 1,
      err: '999999 is not in the inbox.\n',
    })
    const missing = await invoke(['inbox', 'list', '--table', `${table}_other`], { env })
    expect(missing).toMatchObject({ code: 1 })
    expect(missing.err).toContain(`The inbox ${table}_other is not in this database`)
  })

  test('rejects another state, id or table with 2', async () => {
    for (const [args, why] of [
      [['retry', '--state', 'waiting'], "--state should be 'dead' or 'done'"],
      [['show', 'one'], '`id` should be the id of an entry'],
    ] as const) {
      const { code, err } = await run(...args)
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(why) })
    }
    const { code, err } = await invoke(['inbox', 'list', '--table', 'a b'], { env })
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('--table should be') })
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
    expect(err).toContain('PostgreSQL: connect ECONNREFUSED 127.0.0.1:1')
    expect((await run()).code).toBe(0)
  })

  test('without pg in the folder it says what to install', async () => {
    const empty = await folder()
    vi.spyOn(process, 'cwd').mockReturnValue(empty)
    const { code, err } = await run('list')
    expect(code).toBe(2)
    const said = err.replaceAll(/\s+/g, ' ')
    expect(said).toContain(`The client of PostgreSQL cannot be loaded from ${empty}: Cannot find`)
    expect(said).toContain('npm install pg')
  })
})
