import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { jobIdOf } from '@webhook-receiver/core/stored'
import {
  type Delivery,
  deliveryHandler,
  WebhookError,
  webhookMiddleware,
} from '@webhook-receiver/express'
import { Queue } from 'bullmq'
import express from 'express'
import { Redis } from 'ioredis'

// While Redis is away nothing waits here: the delivery is refused, and the service sends it again.
const redis = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
})

const queue = new Queue('webhooks', { connection: redis })
queue.on('error', (error) => console.error('redis:', error.message || error))

// A copy has the same id and adds nothing, for as long as the job is there: three days after it is done.
async function enqueue(delivery: Delivery): Promise<void> {
  if (redis.status !== 'ready') throw new WebhookError('store_unavailable', 'Redis is away.')
  await queue.add(delivery.event, delivery, {
    jobId: await jobIdOf(delivery),
    attempts: 10,
    backoff: { type: 'exponential', delay: 1000 },
    removeOnComplete: { age: 259_200 },
  })
}

const app = express()

// 204 when the job is in Redis. When it may not be, 503 or 500, within 5 seconds.
app.post(
  '/webhooks',
  webhookMiddleware(process.env.WEBHOOK_SECRET),
  deliveryHandler({ any: enqueue }, { timeout: 5 }),
)

// Redis is given a moment. Without it the server starts as well, and refuses what comes.
await Promise.race([queue.waitUntilReady(), delay(2000, undefined, { ref: false })])

// Without a limit of its own, Node lets a request dribble in for five minutes, and looks at its clock every 30 s only.
const patience = { requestTimeout: 15_000, connectionsCheckingInterval: 5_000 }
const server = createServer(patience, app)

server.listen(Number(process.env.PORT ?? 3000), () => {
  const { port } = server.address() as AddressInfo
  console.error(`Listening on http://localhost:${port}/webhooks`)
})

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    // Deliveries in progress are still answered, for as long as that takes, but not for ever.
    server.close(() => redis.disconnect())
    setTimeout(() => server.closeAllConnections(), 5000).unref()
  })
}
