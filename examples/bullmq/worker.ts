import { createDeliveryHandler } from '@webhook-receiver/core/handling'
import { parseStoredDelivery } from '@webhook-receiver/core/stored'
import { Worker } from 'bullmq'
import { Redis } from 'ioredis'

const redis = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', {
  maxRetriesPerRequest: null,
})

// The work, by event: what throws is tried again.
const handle = createDeliveryHandler({
  'message.received': async ({ data }) => console.error('A message, with', Object.keys(data.data)),
  any: async ({ event }) => console.error('Nothing to do for', event),
})

const worker = new Worker(
  'webhooks',
  async (job) => {
    const delivery = parseStoredDelivery(job.data)
    await handle(delivery)
    const { id, event, data } = delivery
    console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
  },
  // A job whose worker was killed is another's after 10 seconds or so, however often that happens.
  {
    connection: redis,
    concurrency: 10,
    lockDuration: 10_000,
    stalledInterval: 5000,
    maxStalledCount: 100,
  },
)
worker.on('ready', () => console.error('Waiting for jobs'))
worker.on('failed', (job, error) => console.error(`Job ${job?.id} failed:`, error))
worker.on('error', (error) => console.error('redis:', error.message || error))

for (const signal of ['SIGINT', 'SIGTERM']) {
  // Jobs in progress are finished first.
  process.once(signal, async () => {
    await worker.close()
    redis.disconnect()
  })
}
