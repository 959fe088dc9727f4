// In place of handlers.js of the example: the effect is an entry of a list, and one script writes it with its mark.
import { createDeliveryHandler } from '@webhook-receiver/core'
import { Redis } from 'ioredis'
import { behave } from './behaviour.mjs'

const redis = new Redis(process.env.REDIS_URL, { maxRetriesPerRequest: null })

const ONCE = `if redis.call('SET', KEYS[1], 1, 'NX', 'EX', 86400) then redis.call('RPUSH', KEYS[2], ARGV[1]) end`

export const handle = createDeliveryHandler({
  any: (delivery) =>
    behave(delivery, (effect) => {
      const line = JSON.stringify(effect)
      if (process.env.NAIVE) return redis.rpush('effects', line)
      return redis.eval(ONCE, 2, `effect:${effect.id}`, 'effects', line)
    }),
})
