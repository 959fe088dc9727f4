import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { memoryStore } from '@webhook-receiver/core'
import { describe, expect, test } from 'vitest'
import type { MemoryStoreOptions } from '../../src/store/memory-store.ts'

function clocked(options: MemoryStoreOptions = {}) {
  let time = 0
  const store = memoryStore({ now: () => time, ...options })
  return {
    ...store,
    pass: (seconds: number) => {
      time += seconds * 1000
    },
    finish: async (key: string) => {
      expect(await store.claim(key, 'token', 30)).toEqual({ status: 'claimed' })
      expect(await store.complete(key, 'token')).toBe(true)
    },
  }
}

/** The bytes that are held after a collection of garbage. */
function heap() {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

const claimed = { status: 'claimed' }
const done = { status: 'done' }

describe('a memory store', () => {
  test('keeps done marks for 72 hours', async () => {
    const store = clocked()
    await store.finish('a')
    store.pass(72 * 3600 - 1)
    expect(await store.claim('a', 'b', 30)).toEqual(done)
    store.pass(1)
    expect(await store.forget('a')).toBe(false)
    expect(await store.claim('a', 'b', 30)).toEqual(claimed)
  })

  test.each([
    ['a', 'b'],
    ['c', 'a'],
  ])(
    'forgets the done mark that was asked for least recently: not %s, but %s',
    async (asked, lost) => {
      const store = clocked({ maxEntries: 3 })
      const keys = ['a', 'b', 'c']
      for (const key of keys) await store.finish(key)
      expect(await store.claim(asked, 'x', 30)).toEqual(done)
      await store.finish('d')
      for (const key of [...keys, 'd'].filter((key) => key !== lost)) {
        expect(await store.claim(key, 'x', 30)).toEqual(done)
      }
      expect(await store.claim(lost, 'x', 30)).toEqual(claimed)
    },
  )

  test('forgets marks that ran out before marks that are good', async () => {
    const store = clocked({ maxEntries: 3, retention: 10 })
    await store.finish('old')
    store.pass(11)
    const keys = ['a', 'b', 'c']
    for (const key of keys) await store.finish(key)
    for (const key of keys) expect(await store.claim(key, 'x', 1)).toEqual(done)
  })

  test('forgets any done mark before a live claim, and has room for no more of these until one ends', async () => {
    const store = clocked({ maxEntries: 3 })
    for (const key of ['a', 'b', 'c']) await store.claim(key, 'owner', key === 'b' ? 5 : 30)
    const full = 'it has 3 claims. Raise `maxEntries`'
    await expect(store.claim('d', 'owner', 30)).rejects.toThrow(full)
    expect(await store.claim('b', 'x', 1)).toMatchObject({ status: 'in_progress' })
    store.pass(5)
    expect(await store.claim('d', 'owner', 30)).toEqual(claimed)
    expect(await store.complete('b', 'owner')).toBe(false)
    await store.release('a', 'owner')
    for (const key of ['e', 'f', 'g']) await store.finish(key)
    expect(await store.claim('c', 'x', 30)).toMatchObject({ status: 'in_progress' })
    expect(await store.complete('c', 'owner')).toBe(true)
  })

  test('has room for 100,000 claims', async () => {
    const store = clocked()
    for (let key = 0; key < 100_000; key++) void store.claim(`${key}`, 'owner', 30)
    await expect(store.claim('more', 'owner', 30)).rejects.toThrow('it has 100000 claims')
  })

  test('forgets no done mark where a lease that ran out is taken over', async () => {
    const store = clocked({ maxEntries: 2 })
    await store.finish('done')
    await store.claim('a', 'one', 1)
    store.pass(2)
    expect(await store.claim('a', 'two', 1)).toEqual(claimed)
    expect(await store.claim('done', 'x', 1)).toEqual(done)
  })

  test('gives the memory of marks back at the first claim after they ran out', async () => {
    const store = clocked()
    const before = heap()
    // Long keys: 40 MB, beside which it does not count what else this process frees.
    for (let mark = 0; mark < 2000; mark++) {
      const key = randomBytes(10_000).toString('hex')
      await store.claim(key, 'token', 30)
      await store.complete(key, 'token')
    }
    const full = heap()
    expect(full - before).toBeGreaterThan(20e6)
    store.pass(72 * 3600)
    await store.claim('a', 'one', 30)
    expect(full - heap()).toBeGreaterThan(20e6)
  })

  test.each([
    [{ maxEntries: 0 }, '`maxEntries` should be a whole number from 1; got 0.'],
    [{ retention: 0 }, '`retention` should be a number of seconds above 0'],
    [{ now: 0 }, '`now` should be a function that returns milliseconds'],
    [{ ttl: 3 }, 'There is no option "ttl". The options are: maxEntries, now, retention.'],
  ])('rejects %j', (options, message) => {
    expect(() => Reflect.apply(memoryStore, undefined, [options])).toThrow(message)
  })
})
