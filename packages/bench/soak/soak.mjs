import { startServer } from '@webhook-receiver/fuzzing/sockets/child.mjs'
import { load } from './load.mjs'

const SECRET = 'whsec_for_the_soak_only'

const MEBIBYTE = 1024 * 1024

/**
 * V8 makes its young generation larger when much is allocated, by some 30 MiB at a moment of its own choosing, and
 * keeps nothing in it: with a bound it stays out of the resident memory.
 */
const FLAGS = ['--max-semi-space-size=2']

/** How often memory is looked at: so many times in all. Each time the server collects its garbage first. */
const SAMPLES = 80

/** The part of the time in which a server is still getting warm, and does not count. */
const WARM = 0.1

/** How much the mean of the last quarter may lie above that of the first, in bytes. */
const MOST_GROWTH = 10 * MEBIBYTE

/** Soaks one adapter, and resolves to its answers, its memory and its faults. */
export async function soak(adapter, { milliseconds, connections, rate, seed }) {
  const server = await startServer(adapter, SECRET, '', FLAGS)
  const samples = []
  const started = performance.now()
  const until = started + milliseconds
  try {
    const loaded = load(adapter, {
      port: server.port,
      secret: SECRET,
      until,
      connections,
      rate,
      seed,
    })
    for (let count = 1; count <= SAMPLES; count++) {
      await waitUntil(started + (milliseconds * count) / SAMPLES)
      const { heap, rss } = await server.measure()
      samples.push({ heap, rss })
    }
    const result = await loaded
    const heap = quarters(samples.map((sample) => sample.heap))
    const rss = quarters(samples.map((sample) => sample.rss))
    const faults = [...server.faults]
    if (result.wrong > 0) faults.push(`${result.wrong} wrong: ${result.examples.join('; ')}`)
    for (const [name, { first, last }] of Object.entries({ heap, rss })) {
      if (last - first <= MOST_GROWTH) continue
      const series = samples.map((sample) => (sample[name] / MEBIBYTE).toFixed(0)).join(' ')
      faults.push(`${name} grew by ${((last - first) / MEBIBYTE).toFixed(1)} MiB: ${series}`)
    }
    return { adapter, ...result, heap, rss, faults, lines: server.lines() }
  } finally {
    server.stop()
  }
}

function quarters(values) {
  const counted = values.slice(Math.floor(values.length * WARM))
  const quarter = Math.floor(counted.length / 4)
  return { first: mean(counted.slice(0, quarter)), last: mean(counted.slice(-quarter)) }
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function waitUntil(time) {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, time - performance.now())))
}
