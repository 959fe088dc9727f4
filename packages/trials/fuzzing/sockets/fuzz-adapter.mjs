import { appendFileSync } from 'node:fs'
import { ADAPTERS } from '../../applications.mjs'
import { stream } from '../../random.mjs'
import { startServer } from './child.mjs'
import { DeliveryPool } from './deliveries.mjs'
import { planToJson, randomPlan, sizeOf } from './plan.mjs'
import { valid } from './requests.mjs'
import { session } from './session.mjs'

export const SECRET = 'whsec_for_sockets_only'

/** More faults than that have the same cause. */
const MOST_FAULTS = 10

/** How much the heap after a collection may grow from a tenth of the requests to the end, in bytes. */
const MOST_GROWTH = 16 * 1024 * 1024

/** Sends requests to one adapter, and resolves to the results. */
export async function fuzzAdapter(
  adapter,
  { requests, milliseconds, connections, seed, failures },
) {
  const server = await startServer(adapter, SECRET)
  const next = stream(seed, ADAPTERS.indexOf(adapter))
  const pool = new DeliveryPool(next, SECRET)
  const result = {
    adapter,
    requests: 0,
    connections: 0,
    statuses: {},
    faults: [],
    peak: 0,
    longest: 0,
    gaveUp: 0,
  }
  const started = performance.now()
  let tenthsPrinted = 0
  let early
  try {
    await Promise.all(Array.from({ length: connections }, work))
    const last = await session(server, {
      parts: [valid(next, pool.any())],
      cuts: [],
      gap: 0,
    })
    for (const fault of last.faults) result.faults.push(`at the end: ${fault}`)
    const { heap, rss } = await server.measure()
    // A run that was stopped before a tenth of the requests has nothing to compare with.
    early ??= heap
    if (!(heap - early <= MOST_GROWTH)) {
      result.faults.push(`the heap grew from ${early} to ${heap} bytes`)
    }
    return {
      ...result,
      faults: [...result.faults, ...server.faults],
      seconds: (performance.now() - started) / 1000,
      heap: { early, late: heap },
      peak: Math.max(result.peak, rss ?? 0),
      lines: server.lines(),
    }
  } finally {
    server.stop()
  }

  async function work() {
    while (goesOn()) {
      const plan = randomPlan(next, pool)
      result.requests += sizeOf(plan)
      result.connections++
      await printProgress()
      const { faults, statuses, longest, gaveUp } = await session(server, plan)
      if (gaveUp) result.gaveUp++
      result.longest = Math.max(result.longest, longest)
      for (const [status, count] of Object.entries(statuses)) {
        result.statuses[status] = (result.statuses[status] ?? 0) + count
      }
      if (faults.length === 0) continue
      result.faults.push(...faults)
      const line = { adapter, clock: Date.now(), faults, plan: planToJson(plan) }
      appendFileSync(failures, `${JSON.stringify(line)}\n`)
    }
  }

  function goesOn() {
    if (result.faults.length >= MOST_FAULTS || !server.alive()) return false
    return result.requests < requests && performance.now() - started < milliseconds
  }

  async function printProgress() {
    const spent = (performance.now() - started) / milliseconds
    const tenth = Math.floor(Math.max(result.requests / requests, spent) * 10)
    if (tenth === tenthsPrinted) return
    tenthsPrinted = tenth
    const { heap, rss } = await server.measure()
    early ??= heap
    result.peak = Math.max(result.peak, rss ?? 0)
    const seconds = (performance.now() - started) / 1000
    console.error(`${adapter}: ${result.requests} requests, ${seconds.toFixed(0)} s`)
  }
}
