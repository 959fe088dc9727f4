import { seeded } from '@webhook-receiver/tools/random.mjs'

/** Of the deliveries, this share is sent twice at once. */
const TWICE = 0.3

/** How many late copies are on their way at once. */
const AT_ONCE = 20

/** New deliveries at a steady rate, each sent until it is acknowledged. */
export function startLoad(sender, { rate, seed, port }) {
  const random = seeded(seed + 1)
  const ids = []
  const open = new Set()
  const timer = setInterval(() => {
    const id = `outage-${seed}-${ids.length}`
    ids.push(id)
    const work = sender
      .deliver(id, [port], random() < TWICE ? 2 : 1)
      .finally(() => open.delete(work))
    open.add(work)
  }, 1000 / rate)

  return {
    /** Ends the load; resolves with the ids of all, when each was acknowledged or given up. */
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
      return ids
    },
  }
}

/** Sends each delivery once more, long after it was acknowledged. */
export async function sendLateCopies(sender, ids, port) {
  const waiting = [...ids]
  const lane = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      await sender.deliver(id, [port], 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}
