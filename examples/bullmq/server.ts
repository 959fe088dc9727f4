import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { jobIdOf, type Verification } from '@webhook-receiver/core'
import { diagnose } from '@webhook-receiver/diagnose'
import { type Delivery, WebhookError, webhookHandler } from '@webhook-receiver/express'
import express from 'express'
import { Redis } from 'ioredis'
import { laneOf, openLanes } from './lanes.js'

// If Redis is down, nothing waits for long: the status is 503, and most services retry.
const redis = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', {
  commandTimeout: 1500,
  maxRetriesPerRequest: 0,
  retryStrategy: () => 200,
})

const lanes = openLanes<Delivery>({ connection: redis })

// A duplicate has the same job id, so it adds no job while the first one is kept: three days after it is done. Job and id
// are one command for Redis.
async function enqueue(
  delivery: Delivery,
  { verification }: { readonly verification: Verification },
): Promise<void> {
  if (redis.status !== 'ready') throw new WebhookError('store_unavailable', 'Redis is away.')
  await laneOf(lanes, delivery).add(delivery.event, delivery, {
    jobId: await jobIdOf(verification),
    removeOnComplete: { age: 259_200 },
  })
}

const app = express()

// Responds with 204 when the job is in Redis, otherwise with 503 or 500 within 5 seconds.
app.post('/webhooks', webhookHandler(process.env.WEBHOOK_SECRET, enqueue, { timeout: 5, diagnose }))

// Waits a moment for Redis. Without Redis the server starts too, and responds with 503.
await Promise.race([
  Promise.all(lanes.map((lane) => lane.waitUntilReady())),
  delay(2000, undefined, { ref: false }),
])

// By default Node waits five minutes for a slow request, and checks only every 30 seconds.
const patience = { requestTimeout: 15_000, connectionsCheckingInterval: 5_000 }
const server = createServer(patience, app)

server.listen(Number(process.env.PORT ?? 3000), () => {
  const { port } = server.address() as AddressInfo
  console.error(`Listening on http://localhost:${port}/webhooks`)
})

// A proxy keeps connections open and sends on them: when the server stops, each response closes its connection.
const responses = new Set<ServerResponse>()
server.prependListener('request', (_req, res) => {
  if (!server.listening) res.shouldKeepAlive = false
  responses.add(res)
  res.once('close', () => responses.delete(res))
})

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    // Finishes the deliveries in progress first, but does not wait for ever.
    server.close(() => redis.disconnect())
    for (const res of responses) res.shouldKeepAlive = false
    setTimeout(() => server.closeAllConnections(), 5000).unref()
  })
}
