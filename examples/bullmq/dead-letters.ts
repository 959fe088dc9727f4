import { Redis } from 'ioredis'
import { openLanes } from './lanes.js'

// Prints a line of JSON for each dead letter. With the argument `redrive`, each gets its attempts again.
const redis = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', {
  maxRetriesPerRequest: null,
})
for (const lane of openLanes({ connection: redis })) {
  for (const { id, failedReason, finishedOn } of await lane.getFailed()) {
    const at = new Date(finishedOn ?? 0)
    console.log(JSON.stringify({ job: id, queue: lane.name, error: failedReason, at }))
  }
  if (process.argv[2] === 'redrive') await lane.retryJobs({ state: 'failed' })
}
redis.disconnect()
