import { Redis } from 'ioredis'

export const REDIS_URL = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'

/** Runs `work` on a separate connection, which is not opened again when it is lost. */
export async function withRedis(work, url = REDIS_URL) {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: 60_000,
  })
  let reason
  redis.on('error', (error) => {
    reason = error
  })
  try {
    // The client itself says only that the connection is closed.
    await redis.connect().catch((error) => Promise.reject(reason ?? error))
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}

/**
 * Why Redis cannot be used; undefined where it can.
 *
 * @returns {Promise<string | undefined>}
 */
export function redisProblem(url = REDIS_URL) {
  return withRedis((redis) => redis.ping(), url).then(
    () => undefined,
    (error) => error.message || error.code,
  )
}

/** Removes the keys that begin with `prefix`. */
export function removeKeys(prefix) {
  return withRedis(async (redis) => {
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1000 })) {
      if (keys.length > 0) await redis.unlink(keys)
    }
  })
}
