import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { stopPrograms } from '../program.mjs'
import { REDIS_URL, redisProblem, removeKeys } from '../redis.mjs'
import { TcpProxy } from '../tcp-proxy.mjs'
import { exchange } from '../wire.mjs'
import { copyExample, SECRET, signedRequest, startExample, startWorker } from './example.ts'
import { describeQueueExample, expectAccepted, expectPrinted } from './queue-suite.ts'

/** The beginning of the names of this run's queues. */
const queue = `webhooks-test-${randomUUID()}`

const problem = await redisProblem()

test.runIf(problem === undefined || process.env.CI === 'true')('Redis responds', () => {
  expect(problem).toBeUndefined()
})

afterAll(async () => {
  await stopPrograms('SIGKILL')
  if (problem === undefined) await removeKeys(`bull:${queue}`)
})

/** Queues of their own, with copies of the times in a tenth of their length. */
function rewriteInto(name: string): (source: string) => string {
  return (source) =>
    source
      .replace('`webhooks-', `\`${name}-`)
      .replace('lockDuration: 10_000', 'lockDuration: 1000')
      .replace('stalledInterval: 5000', 'stalledInterval: 500')
}

describe.skipIf(problem !== undefined)('the bullmq example', () => {
  let copies = 0
  describeQueueExample({
    name: 'bullmq',
    env: { REDIS_URL },
    unreachable: { REDIS_URL: 'redis://127.0.0.1:1' },
    rewrite: () => rewriteInto(`${queue}-${copies++}`),
    fewerAttempts: ['ATTEMPTS = 5', 'ATTEMPTS = 2'],
    hanging: [
      "'message.received': ",
      "'message.received': () => new Promise(() => {}),\n'message.sent': ",
    ],
  })

  test('while Redis is away nothing is acknowledged, and all of it when it is back', async () => {
    const proxy = await new TcpProxy(REDIS_URL).open()
    const copy = copyExample('bullmq', rewriteInto(`${queue}-away`))
    const server = await startExample(copy, { env: { REDIS_URL: proxy.url } })
    const worker = await startWorker(copy, { REDIS_URL })
    const [first, second] = [signedRequest(SECRET), signedRequest(SECRET)]
    await expectAccepted(server.port, first)
    await proxy.cut()
    for (let round = 0; round < 3; round++) {
      expect(await exchange(server.port, [second.head, second.body])).toBeOneOf([500, 503])
    }
    await proxy.open()
    await expectAccepted(server.port, second)
    await expectPrinted(worker, [second.line])
    expect((await worker.stop()).stdout).toBe(`${first.line}\n${second.line}\n`)
    await server.stop()
    await proxy.cut()
  })

  test('starts while Redis is away, and accepts when it is there', async () => {
    const proxy = await new TcpProxy(REDIS_URL).open()
    await proxy.cut()
    const copy = copyExample('bullmq', rewriteInto(`${queue}-later`))
    const server = await startExample(copy, { env: { REDIS_URL: proxy.url } })
    const request = signedRequest(SECRET)
    expect(await exchange(server.port, [request.head, request.body])).toBe(503)
    await proxy.open()
    await expectAccepted(server.port, request)
    await server.stop()
    await proxy.cut()
  })
})
