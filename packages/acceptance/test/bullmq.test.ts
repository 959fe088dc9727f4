import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, test } from 'vitest'
import { Gate } from '../../redis/test/gate.ts'
import { REDIS_URL, redisAnswers } from '../../redis/test/server.ts'
import { eventually } from './eventually.ts'
import { copyExample, killExamples, SECRET, startExample, startWorker } from './example.ts'
import { testAccepting } from './queue-suite.ts'
import { exchange, signedRequest } from './wire.ts'

/** A queue of this run's own. */
const queue = `webhooks-test-${randomUUID()}`

test('Redis answers', (context) => {
  if (redisAnswers) return
  const line = `No Redis answers at ${new URL(REDIS_URL).host}: the BullMQ example is not tested.`
  if (process.env.CI === 'true') throw new Error(line)
  console.warn(line)
  context.skip()
})

afterAll(async () => {
  killExamples()
  if (!redisAnswers) return
  const redis = new Redis(REDIS_URL)
  for await (const keys of redis.scanStream({ match: `bull:${queue}*`, count: 1000 })) {
    if (keys.length > 0) await redis.unlink(...keys)
  }
  await redis.quit()
})

/** In each test a queue of its own, with copies of the times in a tenth of their length. */
let copies = 0
function rewriteInto(name: string): (source: string) => string {
  return (source) =>
    source
      .replaceAll("'webhooks'", JSON.stringify(name))
      .replace('lockDuration: 10_000', 'lockDuration: 1000')
      .replace('stalledInterval: 5000', 'stalledInterval: 500')
}

describe.skipIf(!redisAnswers)('the bullmq example', { timeout: 60_000 }, () => {
  testAccepting({
    name: 'bullmq',
    env: { REDIS_URL },
    unreachable: { REDIS_URL: 'redis://127.0.0.1:1' },
    // server.ts and worker.ts of one copy come one after the other.
    rewrite: (source) => rewriteInto(`${queue}-${Math.floor(copies++ / 2)}`)(source),
  })

  test('while Redis is away nothing is acknowledged, and all of it when it is back', async () => {
    const gate = await new Gate(REDIS_URL).open()
    const env = { REDIS_URL: gate.url }
    const directory = copyExample('bullmq', rewriteInto(`${queue}-away`))
    const [server, worker] = [
      await startExample(directory, { env }),
      await startWorker(directory, { REDIS_URL }),
    ]
    const first = signedRequest(SECRET)
    const second = signedRequest(SECRET)
    await eventually(async () => (await exchange(server.port, [first.head, first.body])) === 204)
    await gate.cut()
    for (let round = 0; round < 3; round++) {
      const before = performance.now()
      const status = await exchange(server.port, [second.head, second.body])
      expect(status).toBeOneOf([500, 503])
      expect(performance.now() - before).toBeLessThan(6000)
    }
    await gate.open()
    const send = () => exchange(server.port, [second.head, second.body])
    await eventually(async () => (await send()) === 204)
    await eventually(() => worker.output().stdout.includes(second.line))
    expect((await worker.stop()).stdout).toBe(`${first.line}\n${second.line}\n`)
    await server.stop()
    await gate.cut()
  })

  test('starts while Redis is away, and accepts when it is there', async () => {
    const gate = await new Gate(REDIS_URL).open()
    await gate.cut()
    const directory = copyExample('bullmq', rewriteInto(`${queue}-later`))
    const server = await startExample(directory, { env: { REDIS_URL: gate.url } })
    const { head, body } = signedRequest(SECRET)
    expect(await exchange(server.port, [head, body])).toBe(503)
    await gate.open()
    await eventually(async () => (await exchange(server.port, [head, body])) === 204)
    await server.stop()
    await gate.cut()
  })
})
