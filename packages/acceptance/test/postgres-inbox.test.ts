import { randomBytes } from 'node:crypto'
import { DATABASE_URL, postgresProblem, queryPostgres } from '@webhook-receiver/tools/postgres.mjs'
import { stopPrograms } from '@webhook-receiver/tools/program.mjs'
import { TcpProxy } from '@webhook-receiver/tools/tcp-proxy.mjs'
import { exchange } from '@webhook-receiver/tools/wire.mjs'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { SECRET, startExample, startWorker } from './example.ts'
import { describeQueueExample, expectAccepted, expectPrinted } from './queue-suite.ts'
import { signedRequest } from './wire.ts'

/** A schema of this run's own, in which the tables are made. */
const schema = `webhook_test_${randomBytes(8).toString('hex')}`

const problem = await postgresProblem()

function inSchema(url: string): string {
  const own = new URL(url)
  own.searchParams.set('options', `-csearch_path=${schema}`)
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
  await queryPostgres(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
  await queryPostgres(`CREATE SCHEMA ${schema}`)
})

afterAll(async () => {
  await stopPrograms('SIGKILL')
  if (problem === undefined) await queryPostgres(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
})

describe.skipIf(problem !== undefined)('the postgres-inbox example', () => {
  const env = { DATABASE_URL: inSchema(DATABASE_URL) }

  describeQueueExample({
    name: 'postgres-inbox',
    env,
    unreachable: { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/test' },
    rewrite: (source) => source,
  })

  test('while PostgreSQL is away nothing is acknowledged, and all of it when it is back', async () => {
    const proxy = await new TcpProxy(DATABASE_URL).open()
    const server = await startExample('postgres-inbox', {
      env: { DATABASE_URL: inSchema(proxy.url) },
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
    expect(await queryPostgres(`SELECT position FROM ${schema}.inbox`)).toEqual([])
    await server.stop()
    await proxy.cut()
  })

  test('a row that is no delivery waits, and holds up nothing', async () => {
    const server = await startExample('postgres-inbox', { env })
    const worker = await startWorker('postgres-inbox', env)
    await queryPostgres(`INSERT INTO ${schema}.inbox (delivery) VALUES ('{"id":1}')`)
    const { head, body, line } = signedRequest(SECRET)
    expect(await exchange(server.port, [head, body])).toBe(204)
    await expectPrinted(worker, [line])
    const { stderr } = await worker.stop()
    expect(stderr).toContain('What was stored is no delivery: "id" should be a non-empty string')
    const rows = await queryPostgres(`SELECT delivery, attempts > 0 AS tried FROM ${schema}.inbox`)
    expect(rows).toEqual([{ delivery: '{"id":1}', tried: true }])
    await server.stop()
  })
})
