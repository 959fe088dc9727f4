import type { Claim, DeliveryStore } from '@webhook-receiver/core/handling'
import { milliseconds } from './milliseconds.ts'
import { type RedisStoreOptions, resolveOptions } from './options.ts'
import { claimOf, successOf } from './reply.ts'
import { SCRIPTS } from './scripts.ts'

/**
 * Keeps the deliveries of any number of processes in Redis 7 or newer: one key for each delivery, which
 * Redis removes by itself when its time is over. Only the clock of Redis is looked at.
 *
 * Every step may be sent twice, as clients do after a lost connection: the second time has the answer
 * of the first.
 *
 * @throws TypeError that says what to write instead.
 * @example
 * const store = redisStore({ send: (command) => redis.call(...command) })
 */
export function redisStore(options: RedisStoreOptions): DeliveryStore {
  const { send, prefix, retention } = resolveOptions(options)

  async function run(script: string, key: string, ...args: string[]): Promise<unknown> {
    return send(['EVAL', script, '1', prefix + key, ...args])
  }

  return {
    async claim(key, token, lease): Promise<Claim> {
      return claimOf(await run(SCRIPTS.claim, key, leaseValue(token), milliseconds('lease', lease)))
    },
    async complete(key, token): Promise<boolean> {
      const reply = await run(SCRIPTS.complete, key, leaseValue(token), doneValue(token), retention)
      return successOf('complete', reply)
    },
    async release(key, token): Promise<boolean> {
      return successOf('release', await run(SCRIPTS.release, key, leaseValue(token)))
    },
    async extend(key, token, lease): Promise<boolean> {
      const period = milliseconds('lease', lease)
      return successOf('extend', await run(SCRIPTS.extend, key, leaseValue(token), period))
    },
  }
}

function leaseValue(token: string): string {
  return `lease:${token}`
}

function doneValue(token: string): string {
  return `done:${token}`
}
