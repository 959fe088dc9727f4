import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisStore } from '../src/index.ts'
import type { RedisCommand } from '../src/options.ts'
import { SCRIPTS } from '../src/scripts.ts'
import { prefix, REDIS_URL, redisResponds, removeKeys } from './server.ts'

describe.skipIf(!redisResponds)('redisStore on Redis', () => {
  let redis: Redis
  const commands: (readonly [RedisCommand, key: string])[] = []
  const store = redisStore({
    prefix,
    send: (command, key) => {
      commands.push([command, key])
      return redis.call(...command)
    },
  })

  beforeAll(() => {
    redis = new Redis(REDIS_URL)
  })
  afterAll(async () => {
    await removeKeys()
    await redis.quit()
  })

  test('has one key for a delivery, which expires with the lease and then with the retention', async () => {
    const key = `${prefix}lifetime`
    const kept = async () => [await redis.get(key), Math.ceil((await redis.pttl(key)) / 1000)]
    await store.claim('lifetime', 'token', 30)
    expect(await kept()).toEqual(['lease:token', 30])
    await store.extend('lifetime', 'token', 60)
    expect(await kept()).toEqual(['lease:token', 60])
    await store.claim('lifetime', 'other', 90)
    expect(await kept()).toEqual(['lease:token', 60])
    await store.complete('lifetime', 'token')
    expect(await kept()).toEqual(['done:token', 72 * 3600])
    await store.claim('released', 'token', 30)
    await store.release('released', 'token')
    expect(await redis.exists(`${prefix}released`)).toBe(0)
  })

  test('claims a new key in one plain command, and asks a script about a key that is there', async () => {
    commands.length = 0
    for (const token of ['token', 'other']) await store.claim('plain', token, 30)
    const names = commands.map(([[name]]) => name)
    expect(names.slice(0, 3)).toEqual(['SET', 'SET', 'EVALSHA'])
  })

  test('names the only key of each command, and the scripts name no other', async () => {
    commands.length = 0
    await store.claim('cluster', 'token', 30)
    await store.claim('cluster', 'other', 30)
    await store.extend('cluster', 'token', 30)
    await store.complete('cluster', 'token')
    await store.release('cluster', 'token')
    await store.forget('cluster')
    // EVALSHA, and EVAL where this Redis had not run the script before.
    const scripts = commands
      .filter(([[name]]) => name !== 'SET')
      .map(([[name, script = '']]) =>
        name === 'EVAL' ? createHash('sha1').update(script).digest('hex') : script,
      )
    expect(new Set(scripts)).toEqual(new Set(Object.values(SCRIPTS).map(({ sha1 }) => sha1)))
    for (const [command, key] of commands) {
      expect(key).toBe(`${prefix}cluster`)
      expect(await redis.call('COMMAND', 'GETKEYS', ...command)).toEqual([key])
    }
    for (const { text } of Object.values(SCRIPTS)) {
      const calls = [...text.matchAll(/redis\.call\('\w+', (.*?)[,)]/g)]
      expect(calls.length).toBeGreaterThan(0)
      expect(new Set(calls.map(([, key]) => key))).toEqual(new Set(['KEYS[1]']))
    }
  })

  test('rejects a key that never expires, which is not its own', async () => {
    await redis.set(`${prefix}foreign`, 'something')
    await expect(store.claim('foreign', 'token', 30)).rejects.toThrow(
      /never expires.*Choose another one/,
    )
  })
})

describe('redisStore', () => {
  const returning = (reply: unknown) => redisStore({ send: async () => reply })

  test.each([
    [null, 'null'],
    ['x'.repeat(101), `"${'x'.repeat(100)}"`],
    [Buffer.from('claimed'), 'bytes'],
    [{ result: 'claimed' }, 'an object'],
  ])('rejects a reply that should not be: %j', async (reply, shown) => {
    const store = returning(reply)
    await expect(store.claim('key', 'token', 1)).rejects.toThrow(
      `Redis replied to claim with ${shown} where 'claimed', 'done' or a number of milliseconds was expected.`,
    )
    for (const step of ['complete', 'release'] as const) {
      await expect(store[step]('key', 'token')).rejects.toThrow(
        `Redis replied to ${step} with ${shown} where 0 or 1 was expected.`,
      )
    }
    await expect(store.extend('key', 'token', 1)).rejects.toThrow(
      '`send` should resolve to the unchanged reply of the client',
    )
  })

  test('gives the last millisecond of a lease as more than nothing', async () => {
    const claim = await returning(0).claim('key', 'token', 1)
    expect(claim).toEqual({ status: 'in_progress', retryAfter: 0.001 })
  })

  test.each([
    [{}, '`send` should be a function, such as (command) => redis.call(...command) with ioredis'],
    [{ send: fetch, prefix: 1 }, '`prefix` should be a string, such as "webhook:"; got 1.'],
    [{ send: fetch, retention: 0 }, '`retention` should be a number of seconds above 0'],
    [{ send: fetch, ttl: 1 }, 'There is no option "ttl".'],
  ])('rejects the options %j', (options, message) => {
    const create = () => Reflect.apply(redisStore, undefined, [options])
    expect(create).toThrow(message)
  })
})
