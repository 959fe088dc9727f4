import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, postgresStore, postgresTransactionalStore } from '../src/index.ts'
import { openPg } from './clients.ts'
import { DATABASE_URL, dropTables, effects, queryPostgres, table, unreachable } from './server.ts'

const children: ChildProcess[] = []

/** Starts a process that receives `copies` of each of `ids` deliveries. */
async function start(
  ids: number,
  copies: number,
  mode: 'lease' | 'transaction',
  fate = '',
): Promise<ChildProcess> {
  const child = fork(
    join(import.meta.dirname, 'contender.ts'),
    [DATABASE_URL, table, String(ids), String(copies), mode, fate],
    { execArgv: ['--import', 'tsx'], cwd: join(import.meta.dirname, '..') },
  )
  children.push(child)
  await once(child, 'message')
  return child
}

async function go(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(() => ['the process ended without an answer'])
  const answer = once(child, 'message')
  child.send('go')
  return (await Promise.race([answer, ended]))[0]
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
}

async function effectsOf(key: string): Promise<number> {
  return (await queryPostgres(`SELECT key FROM ${effects} WHERE key = $1`, [key])).length
}

describe.skipIf(unreachable !== undefined)(
  'several processes on one PostgreSQL',
  { timeout: 120_000 },
  () => {
    let client: Awaited<ReturnType<typeof openPg>>

    beforeAll(async () => {
      client = await openPg(DATABASE_URL)
      await migrate(client.query, { table })
      await queryPostgres(`CREATE TABLE ${effects} (key text)`)
    })
    afterAll(async () => {
      for (const child of children) child.kill('SIGKILL')
      await client?.close()
      await dropTables()
    })

    test.each(['lease', 'transaction'] as const)(
      'handle 1,000 deliveries once each, of 20 copies at once, by %s',
      async (mode) => {
        const processes = await Promise.all([start(1000, 10, mode), start(1000, 10, mode)])
        const answers = (await Promise.all(processes.map(go))) as { won: string[] }[]
        const won = answers.flatMap((answer) => answer.won)
        expect(won).toHaveLength(1000)
        expect(new Set(won).size).toBe(1000)
        const count = `SELECT count(*)::int, count(DISTINCT key)::int AS keys
          FROM ${effects} WHERE key LIKE $1`
        expect(await queryPostgres(count, [`${mode}%`])).toEqual([{ count: 1000, keys: 1000 }])
      },
    )

    test('a process that is killed before COMMIT leaves neither effect nor mark', async () => {
      const child = await start(1, 1, 'transaction', 'hang')
      const key = 'transaction hang 0'
      expect(await go(child)).toEqual({ effect: key })
      const store = postgresTransactionalStore({ ...client.transactional, table })
      expect(await store.transact(key, () => expect.unreachable())).toEqual({
        status: 'in_progress',
        retryAfter: 1,
      })
      await kill(child)
      expect(await effectsOf(key)).toBe(0)
      const retry = () =>
        store.transact(key, async (transaction) => {
          await transaction.query(`INSERT INTO ${effects} (key) VALUES ($1)`, [key])
        })
      await expect.poll(retry, { timeout: 5000 }).toEqual({ status: 'claimed' })
      expect(await effectsOf(key)).toBe(1)
    })

    test('a process that is killed after COMMIT leaves both', async () => {
      const child = await start(1, 1, 'transaction', 'hang after commit')
      const key = 'transaction hang after commit 0'
      expect(await go(child)).toEqual({ won: [key] })
      await kill(child)
      expect(await effectsOf(key)).toBe(1)
      const store = postgresTransactionalStore({ ...client.transactional, table })
      expect(await store.transact(key, () => expect.unreachable())).toEqual({ status: 'done' })
    })

    test('a process that is killed with a lease leaves the delivery to the next, when it is over', async () => {
      const child = await start(1, 1, 'lease', 'hang')
      const key = 'lease hang 0'
      expect(await go(child)).toEqual({ effect: key })
      await kill(child)
      const store = postgresStore({ query: client.query, table })
      expect(await store.claim(key, 'next', 60)).toMatchObject({ status: 'in_progress' })
      const retry = () => store.claim(key, 'next', 60)
      await expect.poll(retry, { timeout: 3000 }).toEqual({ status: 'claimed' })
    })

    test('migrate at once without an error', async () => {
      const name = `${table}_at_once`
      const run = () => migrate(client.query, { table: name })
      await Promise.all(Array.from({ length: 20 }, run))
      await queryPostgres(`DROP TABLE ${name}`)
    })
  },
)
