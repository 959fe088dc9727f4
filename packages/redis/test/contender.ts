// One of several processes that receive the same deliveries, for processes.test.ts.
import { contend, settings } from '@webhook-receiver/checks/contend.mjs'
import { Redis } from 'ioredis'
import { redisStore } from '../src/index.ts'

const { url = '', prefix } = settings
const redis = new Redis(url)
contend({
  store: redisStore({ send: (command) => redis.call(...command), prefix }),
  close: () => redis.disconnect(),
})
