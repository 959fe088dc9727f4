import { setTimeout as delay } from 'node:timers/promises'
import type { InboxWorker } from '@webhook-receiver/inbox'
import { inbox, prepare } from './inbox.js'

let running = true
let worker: InboxWorker | undefined
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    running = false
    // Finishes the handlers that run first. What is not finished then is handled by the next worker.
    await Promise.race([worker?.stop(), delay(5000)])
    process.exit()
  })
}

await prepare(() => running)
if (running) worker = await inbox.work({ concurrency: 10 })
console.error('Waiting for deliveries')
