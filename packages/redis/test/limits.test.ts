import { describe, expect, test } from 'vitest'
import { redisStore } from '../src/index.ts'

/** A store whose Redis gives this result to everything. */
function returning(reply: unknown) {
  return redisStore({ send: async () => reply })
}

describe('redisStore, at its limits', () => {
  test('takes a lease and a retention of a thousand million seconds, and none above', async () => {
    const longest = 1_000_000_000
    const store = redisStore({ send: async () => 'claimed', retention: longest })
    expect(await store.claim('key', 'token', longest)).toEqual({ status: 'claimed' })
    await expect(store.claim('key', 'token', longest + 1)).rejects.toThrow(TypeError)
    expect(() => redisStore({ send: async () => 1, retention: longest + 1 })).toThrow(TypeError)
  })

  test.each([
    [null, 'null'],
    [1, '1'],
    ['redis://', 'a string'],
  ])('rejects %j in place of the options', (options, got) => {
    expect(() => Reflect.apply(redisStore, undefined, [options])).toThrow(
      new TypeError(
        `The options should be an object, such as { send: (command) => redis.call(...command) }; got ${got}.`,
      ),
    )
  })

  test('names the step in the error for a wrong result', async () => {
    const store = returning('PONG')
    const steps = {
      claim: store.claim('key', 'token', 1),
      extend: store.extend('key', 'token', 1),
      complete: store.complete('key', 'token'),
      release: store.release('key', 'token'),
    }
    for (const [step, result] of Object.entries(steps)) {
      const error = await Promise.resolve<unknown>(result).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(Error)
      expect(error).toHaveProperty(
        'message',
        expect.stringContaining(`replied to ${step} with "PONG"`),
      )
    }
  })

  test('shows at most 100 characters of a wrong result', async () => {
    const complete = async () => returning('x'.repeat(101)).complete('key', 'token')
    const error = await complete().catch((reason: unknown) => reason)
    expect(error).toHaveProperty(
      'message',
      expect.stringContaining(` with "${'x'.repeat(100)}" where `),
    )
  })
})
