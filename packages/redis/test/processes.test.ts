import { join } from 'node:path'
import { createContenders } from '@webhook-receiver/checks/contenders.mjs'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, test } from 'vitest'
import { redisStore } from '../src/index.ts'
import { prefix, REDIS_URL, redisResponds, removeKeys } from './server.ts'

const { start, go, kill, killAll } = createContenders(join(import.meta.dirname, 'contender.ts'))
const mode = 'lease'

afterAll(async () => {
  await killAll()
  await removeKeys()
})

describe.skipIf(!redisResponds)('several processes on one Redis', () => {
  test('handle 1,000 deliveries once each, of 20 copies at once', async () => {
    const asked = { url: REDIS_URL, prefix: `${prefix}once`, ids: 1000, copies: 10, mode } as const
    const processes = await Promise.all([start(asked), start(asked)])
    const results = (await Promise.all(processes.map(go))) as { won: string[] }[]
    const won = results.flatMap((result) => result.won)
    expect(won).toHaveLength(1000)
    expect(new Set(won).size).toBe(1000)
  })

  test('a process that is killed inside its handler leaves the delivery to the next, when its lease is over', async () => {
    const where = { url: REDIS_URL, prefix: `${prefix}killed` }
    const child = await start({ ...where, ids: 1, copies: 1, mode, fate: 'hang' })
    const key = 'lease hang 0'
    expect(await go(child)).toEqual({ effect: key })
    await kill(child)
    const redis = new Redis(REDIS_URL)
    const store = redisStore({
      send: (command) => redis.call(...command),
      prefix: where.prefix,
    })
    const claim = await store.claim(key, 'next', 60)
    expect(claim.status).toBe('in_progress')
    const retry = () => store.claim(key, 'next', 60)
    await expect.poll(retry).toEqual({ status: 'claimed' })
    await redis.quit()
  })
})
