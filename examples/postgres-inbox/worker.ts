import { setTimeout as delay } from 'node:timers/promises'
import { parseStoredDelivery } from '@webhook-receiver/core'
import { type Runner, run } from 'graphile-worker'
import { logger, pool, prepareTables } from './database.js'
import { handle } from './handlers.js'
import { runInOrder } from './in-order.js'
import { recoverWorkers } from './recovery.js'

async function work(payload: unknown): Promise<void> {
  const delivery = parseStoredDelivery(payload)
  await handle(delivery)
  const { id, event, data } = delivery
  console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
}

let running = true
let runner: Runner | undefined
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    running = false
    // Finishes the jobs in progress first. One that still waits for its next attempt keeps its place for the next worker.
    await Promise.race([runner?.stop().catch(() => {}), delay(5000)])
    process.exit()
  })
}

await prepareTables(() => running)
console.error('Waiting for jobs')

while (running) {
  const ended = new AbortController()
  try {
    runner = await run({
      pgPool: pool,
      taskList: { delivery: runInOrder(work, { attempts: 5 }) },
      preset: {
        plugins: [recoverWorkers(ended.signal)],
        // With these the end of a job is written again until PostgreSQL takes it. Without them the process would exit.
        worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
      },
      concurrency: 10,
      pollInterval: 200,
      noHandleSignals: true,
      logger,
    })
    await runner.promise
  } catch (error) {
    console.error('postgres:', error instanceof Error ? error.message : error)
  } finally {
    ended.abort()
  }
  // The runner ends when PostgreSQL goes away.
  await delay(1000)
}
