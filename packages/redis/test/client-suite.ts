import { describeStore } from '@webhook-receiver/conformance'
import { TcpProxy } from '@webhook-receiver/tools/tcp-proxy.mjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DeliveryStore, redisStore } from '../src/index.ts'
import type { Client, OpenClient } from './clients.ts'
import { prefix, REDIS_URL, redisAnswers, removeKeys } from './server.ts'

/** Runs every promise of a store with one client. */
export function describeClient(name: string, open: OpenClient): void {
  describe.skipIf(!redisAnswers)(`with ${name}`, () => {
    let client: Client

    beforeAll(async () => {
      client = await open(REDIS_URL)
    })
    afterAll(async () => {
      await client?.close()
      await removeKeys()
    })

    describeStore('redisStore', (setup) => redisStore({ ...setup, prefix, send: client.send }), {
      shared: true,
    })

    test.each([
      ['extend', (store: DeliveryStore, key: string) => store.extend(key, 'token', 30)],
      ['complete', (store: DeliveryStore, key: string) => store.complete(key, 'token')],
      ['release', (store: DeliveryStore, key: string) => store.release(key, 'token')],
    ])('answers false to %s after the lease ran out, and changes nothing', async (step, ask) => {
      const store = redisStore({ send: client.send, prefix })
      const key = `ran out before ${step}`
      expect(await store.claim(key, 'token', 0.05)).toEqual({ status: 'claimed' })
      const get = "return redis.call('GET', KEYS[1])"
      const kept = () => client.send(['EVAL', get, '1', `${prefix}${key}`])
      await expect.poll(kept, { timeout: 5000 }).toBeNull()
      expect(await ask(store, key)).toBe(false)
      expect(await kept()).toBeNull()
      expect(await store.claim(key, 'other', 30)).toEqual({ status: 'claimed' })
    })

    test('rejects with the error of Redis', async () => {
      await client.send(['EVAL', "return redis.call('RPUSH', KEYS[1], 1)", '1', `${prefix}list`])
      const store = redisStore({ send: client.send, prefix })
      await expect(store.claim('list', 'token', 10)).rejects.toThrow('WRONGTYPE')
    })

    test('rejects at once while Redis is away, and goes on when it is back', async () => {
      const proxy = await new TcpProxy(REDIS_URL).open()
      const proxied = await open(proxy.url)
      const store = redisStore({ send: proxied.send, prefix })
      const key = crypto.randomUUID()
      expect(await store.claim(key, 'first', 60)).toEqual({ status: 'claimed' })

      await proxy.cut()
      const started = performance.now()
      await expect(store.complete(key, 'first')).rejects.toThrow()
      await expect(store.claim(key, 'second', 60)).rejects.toThrow()
      expect(performance.now() - started).toBeLessThan(1000)

      await proxy.open()
      const complete = () => store.complete(key, 'first').catch(() => 'away')
      await expect.poll(complete, { timeout: 5000 }).toBe(true)
      expect(await store.claim(key, 'second', 60)).toEqual({ status: 'done' })
      await proxied.close()
      await proxy.cut()
    })
  })
}
