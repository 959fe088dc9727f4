import { randomUUID } from 'node:crypto'
import { afterAll, describe } from 'vitest'
import { stopPrograms } from '../program.mjs'
import { REDIS_URL, redisProblem, removeKeys } from '../redis.mjs'
import { describeQueueExample } from './queue-suite.ts'

/** The beginning of the names of this run's queues. */
const queue = `webhooks-test-${randomUUID()}`

const problem = await redisProblem()

afterAll(async () => {
  await stopPrograms('SIGKILL')
  if (problem === undefined) await removeKeys(`bull:${queue}`)
})

describe.skipIf(problem !== undefined)('the bullmq example', () => {
  let copies = 0
  describeQueueExample({
    name: 'bullmq',
    service: REDIS_URL,
    envOf: (address) => ({ REDIS_URL: address }),
    // Queues of their own.
    rewrite: () => {
      const name = `${queue}-${copies++}`
      return (source) => source.replace('`webhooks-', `\`${name}-`)
    },
    fewerAttempts: ['ATTEMPTS = 5', 'ATTEMPTS = 2'],
  })
})
