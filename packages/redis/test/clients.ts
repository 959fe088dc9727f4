import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import type { SendCommand } from '../src/index.ts'

export interface Client {
  readonly send: SendCommand
  close(): Promise<unknown>
}

export type OpenClient = (url: string) => Promise<Client>

// Each as the README says, but for the time that a busy machine is given.

export async function openIoredis(url: string): Promise<Client> {
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0 })
  redis.on('error', () => {})
  await once(redis, 'ready')
  return { send: (command) => redis.call(...command), close: () => redis.quit() }
}

export async function openNodeRedis(url: string): Promise<Client> {
  const client = createClient({ url, disableOfflineQueue: true })
  client.on('error', () => {})
  await client.connect()
  return { send: (command) => client.sendCommand(command), close: () => client.close() }
}

export function upstashSend(url: string, token: string): SendCommand {
  return async (command) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify(command),
      signal: AbortSignal.timeout(100_000),
    })
    const reply = (await response.json()) as { result?: unknown; error?: string }
    if (!response.ok) throw new Error(`Upstash responded with ${response.status}: ${reply.error}`)
    return reply.result
  }
}

/** A stand-in for Upstash: its HTTP interface, in front of the Redis at `url`. */
export async function openUpstash(url: string): Promise<Client & { readonly url: string }> {
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0 })
  redis.on('error', () => {})
  await once(redis, 'ready')
  // A connection that the server closes as it is used again would be an error of fetch().
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    replyTo(redis, request).then(([status, body]) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const http = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return {
    url: http,
    send: upstashSend(http, TOKEN),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await redis.quit()
    },
  }
}

const TOKEN = 'upstash-token'

async function replyTo(redis: Redis, request: IncomingMessage): Promise<[number, object]> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return [401, { error: 'Unauthorized' }]
  try {
    const [name, ...args] = JSON.parse(Buffer.concat(chunks).toString())
    return [200, { result: await redis.call(name, ...args) }]
  } catch (error) {
    return [400, { error: error instanceof Error ? error.message : String(error) }]
  }
}
