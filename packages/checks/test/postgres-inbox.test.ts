import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { WebhookError } from '@webhook-receiver/core'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { runInOrder } from '../../../examples/postgres-inbox/in-order.ts'
import { DATABASE_URL, postgresProblem, queryPostgres } from '../postgres.mjs'
import { stopPrograms } from '../program.mjs'
import { TcpProxy } from '../tcp-proxy.mjs'
import { exchange } from '../wire.mjs'
import { copyExample, SECRET, startExample, startWorker } from './example.ts'
import {
  describeQueueExample,
  expectAccepted,
  expectPrinted,
  runDeadLetters,
} from './queue-suite.ts'
import { signedRequest } from './wire.ts'

/** A database of this run's own: the engine has a schema with a fixed name. */
const database = `webhook_test_${randomBytes(8).toString('hex')}`

const problem = await postgresProblem()

function inDatabase(url: string): string {
  const own = new URL(url)
  own.pathname = `/${database}`
  return own.href
}

test('an attempt while PostgreSQL cannot be reached does not count', async () => {
  let away = true
  const work = async () => {
    if (!away) return
    away = false
    throw new WebhookError('store_unavailable', 'The connection is gone.')
  }
  const errors: string[] = []
  const logger = { error: (text: string) => errors.push(text) }
  const task = runInOrder(work, { attempts: 1 })
  await Reflect.apply(task, undefined, [{}, { job: { id: '7' }, logger }])
  expect(errors).toEqual([expect.stringContaining('Job 7 failed and is tried again in 500 ms')])
})

test.runIf(problem === undefined || process.env.CI === 'true')('PostgreSQL responds', () => {
  expect(problem).toBeUndefined()
})

beforeEach(async () => {
  if (problem !== undefined) return
  await removeDatabase()
  await queryPostgres(`CREATE DATABASE ${database}`)
})

afterAll(async () => {
  await stopPrograms('SIGKILL')
  if (problem === undefined) await removeDatabase()
})

function removeDatabase() {
  return queryPostgres(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
}

describe.skipIf(problem !== undefined)('the postgres-inbox example', () => {
  const env = { DATABASE_URL: inDatabase(DATABASE_URL) }

  describeQueueExample({
    name: 'postgres-inbox',
    env,
    unreachable: { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/test' },
    rewrite: () => (source) => source,
    fewerAttempts: ['attempts: 5', 'attempts: 2'],
  })

  test('while PostgreSQL is away nothing is acknowledged, and all of it when it is back', async () => {
    const proxy = await new TcpProxy(DATABASE_URL).open()
    const server = await startExample('postgres-inbox', {
      env: { DATABASE_URL: inDatabase(proxy.url) },
    })
    const worker = await startWorker('postgres-inbox', env)
    const [first, second] = [signedRequest(SECRET), signedRequest(SECRET)]
    expect(await exchange(server.port, [first.head, first.body])).toBe(204)
    await proxy.cut()
    for (let round = 0; round < 3; round++) {
      expect(await exchange(server.port, [second.head, second.body])).toBe(503)
    }
    await proxy.open()
    await expectAccepted(server.port, second)
    await expectPrinted(worker, [second.line])
    expect((await worker.stop()).stdout).toBe(`${first.line}\n${second.line}\n`)
    expect(
      await queryPostgres('SELECT id FROM graphile_worker.jobs', [], env.DATABASE_URL),
    ).toEqual([])
    await server.stop()
    await proxy.cut()
  })

  test('a worker that lives keeps its job, also after its lock was lost', async () => {
    const gate = join(mkdtempSync(join(tmpdir(), 'gate-')), 'open')
    onTestFinished(() => rmSync(dirname(gate), { recursive: true }))
    const copy = copyExample('postgres-inbox', (source) =>
      source.replace('INTERVAL = 2000', 'INTERVAL = 50').replace(
        'await handle(delivery)',
        `console.error('in the middle')
          while (!(await import('node:fs')).existsSync('${gate}')) await delay(20)\n$&`,
      ),
    )
    const server = await startExample(copy, { env })
    const worker = await startWorker(copy, env)
    const { head, body, line } = signedRequest(SECRET)
    expect(await exchange(server.port, [head, body])).toBe(204)
    await worker.printed(/in the middle/)

    // Other tests hold locks in other databases of the same server.
    const locks = `SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database
      WHERE locktype = 'advisory' AND granted AND datname = current_database()`
    const held = () => queryPostgres<{ pid: number }>(locks, [], env.DATABASE_URL)
    const [lock] = await held()
    await queryPostgres('SELECT pg_terminate_backend($1)', [lock?.pid])
    await worker.printed(/The check for dead workers failed/)
    await vi.waitFor(
      async () => expect((await held()).some(({ pid }) => pid !== lock?.pid)).toBe(true),
      { interval: 20, timeout: 120_000 },
    )
    const other = await startWorker(copy, env)
    // The other one checks about ten times.
    await delay(500)
    expect((await other.stop()).stderr).not.toContain('in the middle')
    writeFileSync(gate, '')
    await expectPrinted(worker, [line])
    expect((await worker.stop()).stdout).toBe(`${line}\n`)
    await server.stop()
  })

  describe('the job of a killed worker', () => {
    /** Jobs that a worker held, by the attempt it was in when it was killed. */
    async function killedIn(...attempts: readonly number[]) {
      const server = await startExample('postgres-inbox', { env })
      const lines: string[] = []
      for (const attempt of attempts) {
        const { head, body, line } = signedRequest(SECRET)
        expect(await exchange(server.port, [head, body])).toBe(204)
        const killed = `UPDATE graphile_worker._private_jobs SET locked_by = 'killed', locked_at = now(),
          attempts = $1, max_attempts = $1 WHERE locked_by IS NULL`
        await queryPostgres(killed, [attempt], env.DATABASE_URL)
        lines.push(line)
      }
      await server.stop()
      return lines
    }

    const checking = (interval: number) =>
      copyExample('postgres-inbox', (source) =>
        source
          .replace('INTERVAL = 2000', `INTERVAL = ${interval}`)
          .replace('return missing\n', "console.error('Missing:', missing.join())\n  $&"),
      )

    test('is run by another when two checks in a row do not find its lock, and not after one', async () => {
      const [line = ''] = await killedIn(1)
      const once = await startWorker(checking(3_600_000), env)
      await once.printed(/Missing: killed/)
      const holders = 'SELECT locked_by FROM graphile_worker.jobs'
      expect(await queryPostgres(holders, [], env.DATABASE_URL)).toEqual([{ locked_by: 'killed' }])
      expect((await once.stop()).stdout).toBe('')
      const often = await startWorker(checking(50), env)
      await expectPrinted(often, [line])
      expect((await often.stop()).stdout).toBe(`${line}\n`)
    })

    test('is a dead letter after ten deaths, and is run after nine', async () => {
      const [, ninth = ''] = await killedIn(10, 9)
      const copy = checking(50)
      const worker = await startWorker(copy, env)
      await expectPrinted(worker, [ninth])
      expect((await worker.stop()).stdout).toBe(`${ninth}\n`)
      expect(await runDeadLetters(copy, env)).toHaveLength(1)
    })
  })

  test('a job that is not a delivery is a dead letter, and holds up its queue no longer', async () => {
    const copy = copyExample('postgres-inbox', (source) =>
      source.replace('attempts: 5', 'attempts: 2'),
    )
    const server = await startExample(copy, { env })
    const worker = await startWorker(copy, env)
    const { head, body, line } = signedRequest(SECRET)
    const { instance_id } = JSON.parse(line)
    await queryPostgres(
      `SELECT graphile_worker.add_job('delivery', '{"id":1}', 'delivery-${instance_id}', max_attempts := 1)`,
      [],
      env.DATABASE_URL,
    )
    expect(await exchange(server.port, [head, body])).toBe(204)
    await expectPrinted(worker, [line])
    await worker.stop()
    const found = 'The stored data is not a delivery: "id" should be a non-empty string'
    const [letter] = await runDeadLetters(copy, env)
    expect(letter).toMatchObject({ queue: `delivery-${instance_id}` })
    expect(letter?.error).toContain(found)
    await server.stop()
  })
})
