import type { DeliveryStore } from '@webhook-receiver/core'
import { checkLease, checkStoreOptions, madeBy } from '@webhook-receiver/core/store'
import { OPTIONS, type RedisStoreOptions } from './options.ts'
import { claimOf, successOf } from './reply.ts'
import { SCRIPTS, type Step } from './scripts.ts'

/**
 * Keeps the deliveries of any number of processes in Redis 7 or newer: one key for each delivery, which
 * Redis removes by itself when its time is over. Only the clock of Redis is looked at.
 *
 * Every step but `forget` may be sent twice, as clients do after a lost connection: the second time has the reply
 * of the first.
 *
 * @throws TypeError that says what to write instead.
 * @example
 * const store = redisStore({ send: (command) => redis.call(...command) })
 */
export function redisStore(options: RedisStoreOptions): DeliveryStore {
  const example = '{ send: (command) => redis.call(...command) }'
  const { send, prefix, retention } = checkStoreOptions<RedisStoreOptions>(
    options,
    OPTIONS,
    example,
  )

  // Scripts that need no token or no time do not read it.
  async function run<Result>(
    step: Step,
    read: (reply: unknown, step: string) => Result,
    key: string,
    token: string,
    seconds: number,
  ): Promise<Result> {
    const { sha1, text } = SCRIPTS[step]
    const time = milliseconds(seconds)
    const name = prefix + key
    try {
      return read(await send(['EVALSHA', sha1, '1', name, token, time], name), step)
    } catch (error) {
      // A Redis that has just started has no scripts. EVAL makes it keep this one.
      if (!String(Object(error).message).includes('NOSCRIPT')) throw error
      return read(await send(['EVAL', text, '1', name, token, time], name), step)
    }
  }

  return madeBy<DeliveryStore>('@webhook-receiver/redis', 'store', {
    async claim(key, token, lease) {
      const name = prefix + key
      // Nearly every key is new, and a plain command takes Redis a third of the time of a script.
      const command = ['SET', name, `lease:${token}`, 'NX', 'PX', milliseconds(lease)] as const
      if ((await send(command, name)) === 'OK') return { status: 'claimed' }
      return run('claim', claimOf, key, token, lease)
    },
    complete: (key, token) => run('complete', successOf, key, token, retention),
    release: (key, token) => run('release', successOf, key, token, retention),
    extend: (key, token, lease) => run('extend', successOf, key, token, lease),
    forget: (key) => run('forget', successOf, key, '', retention),
  })
}

function milliseconds(seconds: number): string {
  return String(Math.ceil(checkLease(seconds) * 1000))
}
