import { once } from 'node:events'
import { createServer } from 'node:http'
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
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    replyTo(redis, request).then(([status, body]) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await redis.quit()
    },
  }
}

async function replyTo(redis, request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  if (request.headers.authorization !== `Bearer ${UPSTASH_TOKEN}`)
    return [401, { error: 'Unauthorized' }]
  try {
    const [name, ...args] = JSON.parse(Buffer.concat(chunks).toString())
    return [200, { result: await redis.call(name, ...args) }]
  } catch (error) {
    return [400, { error: error instanceof Error ? error.message : String(error) }]
  }
}
