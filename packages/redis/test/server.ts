import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { Redis } from 'ioredis'

/** The Redis that the tests use. */
export const REDIS_URL: string = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'

/** Whether it answers. Where it does not, the tests that need it are skipped; in CI that is a failure. */
export const redisAnswers: boolean = await reachable(new URL(REDIS_URL))

/** What all keys of this file and run begin with. */
export const prefix: string = `webhook-receiver-test:${randomUUID()}:`

function reachable({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port || 6379), hostname)
    const settle = (answers: boolean) => {
      socket.destroy()
      resolve(answers)
    }
    socket.once('connect', () => settle(true)).once('error', () => settle(false))
    socket.setTimeout(2000, () => settle(false))
  })
}

/** Removes what begins with `prefix`, and nothing else. */
export async function removeKeys(): Promise<void> {
  if (!redisAnswers) return
  const redis = new Redis(REDIS_URL)
  for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1000 })) {
    if (keys.length > 0) await redis.unlink(...keys)
  }
  await redis.quit()
}
