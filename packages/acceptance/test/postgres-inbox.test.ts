import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { Gate } from '../../postgres/test/gate.ts'
import { asServer, DATABASE_URL, unreachable } from '../../postgres/test/server.ts'
import { eventually } from './eventually.ts'
import { copyExample, killExamples, SECRET, startExample, startWorker } from './example.ts'
import { testAccepting } from './queue-suite.ts'
import { exchange, signedRequest } from './wire.ts'

/** A schema of this run's own, in which the tables are made. */
const schema = `webhook_test_${randomBytes(8).toString('hex')}`

function inSchema(url: string): string {
  const own = new URL(url)
  own.searchParams.set('options', `-csearch_path=${schema}`)
  return own.href
}

test('PostgreSQL answers', (context) => {
  if (unreachable === undefined) return
  const line = `No PostgreSQL answers (${unreachable}): the inbox example is not tested.`
  if (process.env.CI === 'true') throw new Error(line)
  console.warn(line)
  context.skip()
})

beforeEach(async () => {
  if (unreachable !== undefined) return
  await asServer(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
  await asServer(`CREATE SCHEMA ${schema}`)
})

afterAll(async () => {
  killExamples()
  if (unreachable === undefined) await asServer(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
})

describe.skipIf(unreachable !== undefined)(
  'the postgres-inbox example',
  { timeout: 60_000 },
  () => {
    const env = { DATABASE_URL: inSchema(DATABASE_URL) }

    testAccepting({
      name: 'postgres-inbox',
      env,
      unreachable: { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/test' },
      rewrite: (source) => source,
    })

    test('while PostgreSQL is away nothing is acknowledged, and all of it when it is back', async () => {
      const gate = await new Gate(DATABASE_URL).open()
      const directory = copyExample('postgres-inbox')
      const [server, worker] = [
        await startExample(directory, { env: { DATABASE_URL: inSchema(gate.url) } }),
        await startWorker(directory, env),
      ]
      const first = signedRequest(SECRET)
      const second = signedRequest(SECRET)
      expect(await exchange(server.port, [first.head, first.body])).toBe(204)
      await gate.cut()
      for (let round = 0; round < 3; round++) {
        expect(await exchange(server.port, [second.head, second.body])).toBe(503)
      }
      await gate.open()
      const send = () => exchange(server.port, [second.head, second.body])
      await eventually(async () => (await send()) === 204)
      await eventually(() => worker.output().stdout.includes(second.line))
      expect((await worker.stop()).stdout).toBe(`${first.line}\n${second.line}\n`)
      expect(await asServer(`SELECT position FROM ${schema}.inbox`)).toEqual([])
      await server.stop()
      await gate.cut()
    })

    test('a row that is no delivery waits, and holds up nothing', async () => {
      const directory = copyExample('postgres-inbox')
      const [server, worker] = [
        await startExample(directory, { env }),
        await startWorker(directory, env),
      ]
      await asServer(`INSERT INTO ${schema}.inbox (delivery) VALUES ('{"id":1}')`)
      const { head, body, line } = signedRequest(SECRET)
      expect(await exchange(server.port, [head, body])).toBe(204)
      await eventually(() => worker.output().stdout.includes(line))
      const { stderr } = await worker.stop()
      expect(stderr).toContain('What was stored is no delivery: "id" should be a non-empty string')
      const rows = await asServer(`SELECT delivery, attempts > 0 AS tried FROM ${schema}.inbox`)
      expect(rows).toEqual([{ delivery: '{"id":1}', tried: true }])
      await server.stop()
    })
  },
)
