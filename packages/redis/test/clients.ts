import { startUpstash, UPSTASH_TOKEN } from '@webhook-receiver/checks/upstash.mjs'
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
  const redis = new Redis(url, {
    commandTimeout: 100_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 200,
  })
  redis.on('error', () => {})
  return { send: (command) => redis.call(...command), close: () => redis.quit() }
}

export async function openNodeRedis(url: string): Promise<Client> {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: 200 },
  })
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

/** A stand-in for Upstash, in front of the Redis at `url`. */
export async function openUpstash(url: string): Promise<Client & { readonly url: string }> {
  const upstash = await startUpstash(url)
  return {
    url: upstash.url,
    send: upstashSend(upstash.url, UPSTASH_TOKEN),
    close: () => upstash.stop(),
  }
}
