import { setTimeout as delay } from 'node:timers/promises'
import { parseStoredDelivery } from '@webhook-receiver/core'
import { type Job, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { handle } from './handlers.js'
import { openLanes } from './lanes.js'

const redis = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', {
  maxRetriesPerRequest: null,
})

const ATTEMPTS = 5

/** Tries again in place, so that the lane waits: BullMQ would let later jobs pass. Then the job is a dead letter. */
async function work(job: Job): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const delivery = parseStoredDelivery(job.data)
      await handle(delivery)
      const { id, event, data } = delivery
      return console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      console.error(`Job ${job.id} failed:`, error)
      await delay(500 * 2 ** (attempt - 1))
    }
  }
}

const lanes = openLanes({ connection: redis })
await Promise.all(lanes.map((lane) => lane.setGlobalConcurrency(1)))

const workers = lanes.map(({ name }) => {
  // If a worker is killed, another one takes its job after about 10 seconds, and the lane waits. After 10 times the job is a
  // dead letter.
  const worker = new Worker(name, work, {
    connection: redis,
    lockDuration: 10_000,
    stalledInterval: 5000,
    maxStalledCount: 10,
  })
  worker.on('failed', (job, error) => console.error(`Job ${job?.id} is a dead letter:`, error))
  worker.on('error', (error) => console.error('redis:', error.message || error))
  return worker
})
await Promise.all(workers.map((worker) => worker.waitUntilReady()))
console.error('Waiting for jobs')

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    // Finishes the jobs in progress first. One that still waits for its next attempt keeps its place for the next worker.
    await Promise.race([Promise.all(workers.map((worker) => worker.close())), delay(5000)])
    process.exit()
  })
}
