import { expect, test } from 'vitest'
import { redisStore } from '../src/index.ts'
import { describeClient } from './client-suite.ts'
import { openIoredis, openNodeRedis, openUpstash, upstashSend } from './clients.ts'
import { REDIS_URL, redisResponds } from './server.ts'

describeClient('ioredis', openIoredis)

describeClient('node-redis', openNodeRedis)

// Each claim is an HTTP request.
describeClient('the HTTP interface of Upstash', openUpstash, 5)

test.skipIf(!redisResponds)('rejects where the token is rejected', async () => {
  const upstash = await openUpstash(REDIS_URL)
  const store = redisStore({ send: upstashSend(upstash.url, 'wrong') })
  await expect(store.claim('key', 'token', 1)).rejects.toThrow(
    'Upstash responded with 401: Unauthorized',
  )
  await upstash.close()
})
