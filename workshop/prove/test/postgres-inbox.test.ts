import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { DATABASE_URL, postgresProblem, queryPostgres } from '../postgres.mjs'
import { stopPrograms } from '../program.mjs'
import { TcpProxy } from '../tcp-proxy.mjs'
import { exchange } from '../wire.mjs'
import { SECRET, signedRequest, startExample, startWorker } from './example.ts'
import { describeQueueExample, expectAccepted, expectPrinted } from './queue-suite.ts'

/** A database of this run's own: the example has a table with a fixed name. */
const database = `webhook_test_${randomBytes(8).toString('hex')}`

const problem = await postgresProblem()

function inDatabase(url: string): string {
  const own = new URL(url)
  own.pathname = `/${database}`
  return own.href
}

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
    hanging: ['await handle(delivery', 'await new Promise(() => {})\n$&'],
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
      await queryPostgres(
        "SELECT id FROM webhook_inbox_open UNION SELECT id FROM webhook_inbox_ended WHERE state <> 'done'",
        [],
        env.DATABASE_URL,
      ),
    ).toEqual([])
    await server.stop()
    await proxy.cut()
  })
})
