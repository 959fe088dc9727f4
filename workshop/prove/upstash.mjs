import { once } from 'node:events'
import { createServer } from 'node:http'
import { listening } from '@webhook-receiver/conformance'
import { Redis } from 'ioredis'
import { REDIS_URL } from './redis.mjs'

/** The token that the stand-in takes. */
export const UPSTASH_TOKEN = 'upstash-token'

/**
 * A stand-in for Upstash: its HTTP interface, in front of a Redis.
 *
 * @returns {Promise<{ readonly url: string, stop(): Promise<unknown> }>}
 */
export async function startUpstash(redisUrl = REDIS_URL) {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 0 })
  redis.on('error', () => {})
  await once(redis, 'ready')
  // A connection that the server closes as it is used again would be an error of fetch().
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const [status, body] = await replyTo(redis, request)
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
  const { port, close } = await listening(server)
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await close()
      await redis.quit()
    },
  }
}

async function replyTo(redis, request) {
  const text = Buffer.concat(await request.toArray()).toString()
  if (request.headers.authorization !== `Bearer ${UPSTASH_TOKEN}`)
    return [401, { error: 'Unauthorized' }]
  try {
    const [name, ...args] = JSON.parse(text)
    return [200, { result: await redis.call(name, ...args) }]
  } catch (error) {
    return [400, { error: error instanceof Error ? error.message : String(error) }]
  }
}
