import { TcpProxy } from '@webhook-receiver/checks/tcp-proxy.mjs'
import { describeLeases } from '@webhook-receiver/suites/stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisStore } from '../src/index.ts'
import type { Client, OpenClient } from './clients.ts'
import { prefix, REDIS_URL, redisResponds, removeKeys } from './server.ts'

/** Runs every promise of a store with one client, which claims so many `keys` at the same time. */
export function describeClient(name: string, open: OpenClient, keys?: number): void {
  describe.skipIf(!redisResponds)(`with ${name}`, () => {
    let client: Client

    beforeAll(async () => {
      client = await open(REDIS_URL)
    })
    afterAll(async () => {
      await client?.close()
      await removeKeys()
    })

    describeLeases('redisStore', {
      open: (options) => redisStore({ ...options, prefix, send: client.send }),
      rowOf(key) {
        const name = `${prefix}${key}`
        return client.send(['EVAL', "return redis.call('GET', KEYS[1])", '1', name], name)
      },
      shared: true,
      keys,
    })

    test('runs its scripts on a Redis that does not know them, as after a restart', async () => {
      const names: string[] = []
      const forgetful = redisStore({
        prefix,
        send: (command, key) => {
          const [name, , ...others] = command
          names.push(name)
          return client.send(name === 'EVALSHA' ? [name, 'f'.repeat(40), ...others] : command, key)
        },
      })
      const key = crypto.randomUUID()
      expect(await forgetful.claim(key, 'token', 30)).toEqual({ status: 'claimed' })
      expect(await forgetful.claim(key, 'token', 30)).toEqual({ status: 'claimed' })
      expect(await forgetful.complete(key, 'token')).toBe(true)
      expect(names).toEqual(['SET', 'SET', 'EVALSHA', 'EVAL', 'EVALSHA', 'EVAL'])
    })

    test('rejects with the error of Redis', async () => {
      const list = `${prefix}list`
      await client.send(['EVAL', "return redis.call('RPUSH', KEYS[1], 1)", '1', list], list)
      const store = redisStore({ send: client.send, prefix })
      await expect(store.claim('list', 'token', 10)).rejects.toThrow('WRONGTYPE')
    })

    test('rejects while Redis is away, and goes on when it is back', async () => {
      const proxy = await new TcpProxy(REDIS_URL).open()
      const proxied = await open(proxy.url)
      const store = redisStore({ send: proxied.send, prefix })
      const key = crypto.randomUUID()
      expect(await store.claim(key, 'first', 60)).toEqual({ status: 'claimed' })

      await proxy.cut()
      await expect(store.complete(key, 'first')).rejects.toThrow()
      await expect(store.claim(key, 'second', 60)).rejects.toThrow()

      await proxy.open()
      const complete = async () => store.complete(key, 'first')
      await expect.poll(complete).toBe(true)
      expect(await store.claim(key, 'second', 60)).toEqual({ status: 'done' })
      await proxied.close()
      await proxy.cut()
    })
  })
}
