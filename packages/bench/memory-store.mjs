// Measures what the memory store takes for a million deliveries, against the bound that its documentation states.
import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { memoryStore } from '@webhook-receiver/core/handling'

/**
 * A round number, and the worst one near it: a Map doubles its table when it is full, and here the second
 * doubling comes when little more than half of what is in it was deleted.
 */
const SIZES = [1_000_000, 1_050_000]

/** Bytes for each id: docs/handling.md and the `maxEntries` option say so. */
const BOUND = 300

/** How often every id is replaced by another, and in how many steps that is measured. */
const TURNS = 2
const STEPS = 10

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

console.log(`Node ${process.versions.node}, bound: ${BOUND} bytes per id`)
for (const size of SIZES) {
  const { filled, most, seconds } = await measure(size)
  console.log(
    `${size.toLocaleString('en')} ids: ${filled.toFixed(0)} bytes each when filled (${seconds.toFixed(1)} s), ` +
      `at most ${most.toFixed(0)} while all were replaced ${TURNS} times`,
  )
  if (most > BOUND) process.exitCode = 1
}

async function measure(size) {
  const store = memoryStore({ maxEntries: size })
  const empty = used()
  const perId = () => (used() - empty) / size
  const started = performance.now()
  await fill(store, size)
  const seconds = (performance.now() - started) / 1000
  const filled = perId()
  let most = filled
  // Each of these drops another: what is held must not grow.
  for (let step = 0; step < TURNS * STEPS; step++) {
    await fill(store, size / STEPS)
    most = Math.max(most, perId())
  }
  // Used once more, so that it is not collected before it was measured.
  await store.release('any', 'token')
  return { filled, most, seconds }
}

async function fill(store, ids) {
  for (let count = 0; count < ids; count++) {
    // As it comes out of a body: randomUUID alone gives a string in twenty pieces, of 600 bytes.
    const { id } = JSON.parse(JSON.stringify({ id: randomUUID() }))
    const key = `default:${id}`
    const token = randomUUID()
    await store.claim(key, token, 30)
    await store.complete(key, token)
  }
}

function used() {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
