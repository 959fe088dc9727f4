import { randomUUID } from 'node:crypto'
import { REDIS_URL, redisProblem, removeKeys as remove } from '@webhook-receiver/checks/redis.mjs'

/** Where it does not respond, the tests that need it are skipped; in CI that is a failure. */
export const redisResponds: boolean = (await redisProblem()) === undefined

/** What all keys of this file and run begin with. */
export const prefix: string = `webhook-receiver-test:${randomUUID()}:`

export async function removeKeys(): Promise<void> {
  if (redisResponds) await remove(prefix)
}

export { REDIS_URL }
