import { randomBytes } from 'node:crypto'
import { DATABASE_URL, postgresProblem, queryPostgres } from '@webhook-receiver/tools/postgres.mjs'
import { stopPrograms } from '@webhook-receiver/tools/program.mjs'
import { TcpProxy } from '@webhook-receiver/tools/tcp-proxy.mjs'
import { exchange } from '@webhook-receiver/tools/wire.mjs'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
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

test('PostgreSQL answers', (context) => {
  if (problem === undefined) return
  const line = `No PostgreSQL answers (${problem}): the inbox example is not tested.`
  if (process.env.CI === 'true') throw new Error(line)
  console.warn(line)
  context.skip()
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

  test('a job that is not a delivery is a dead letter, and holds up its queue no longer', async () => {
    const copy = copyExample('postgres-inbox', (source) =>
      source.replace('attempts: 5', 'attempts: 2'),
    )
    const server = await startExample(copy, { env })
    const worker = await startWorker(copy, env)
    const { head, body, line } = signedRequest(SECRET)
    const { instance_id } = JSON.parse(line)
    await queryPostgres(
      `SELECT graphile_worker.add_job('delivery', '{"id":1}', 'delivery-${instance_id}')`,
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
