import { join } from 'node:path'
import { describeProcesses } from '@webhook-receiver/suites/stores'
import { Redis } from 'ioredis'
import { afterAll, describe } from 'vitest'
import { redisStore } from '../src/index.ts'
import { prefix, REDIS_URL, redisResponds, removeKeys } from './server.ts'

describe.skipIf(!redisResponds)('on one Redis', () => {
  const redis = new Redis(REDIS_URL, { lazyConnect: true })
  afterAll(async () => {
    redis.disconnect()
    await removeKeys()
  })

  describeProcesses('redis', {
    program: join(import.meta.dirname, 'contender.ts'),
    settings: () => ({ url: REDIS_URL, prefix }),
    store: () => redisStore({ send: (command) => redis.call(...command), prefix }),
  })
})
