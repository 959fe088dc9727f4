// Measures what the memory store takes for a million deliveries, against the bound that its documentation states.
import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { memoryStore } from '@webhook-receiver/core/handling'

const IDS = 1_000_000
/** Bytes for each id: docs/handling.md and the `maxEntries` option say so. */
const BOUND = 256

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

const store = memoryStore({ maxEntries: IDS })
const empty = used()
const started = performance.now()
await fill(IDS)
const seconds = (performance.now() - started) / 1000
const perId = (used() - empty) / IDS
// Every one of these drops another: what is held must not grow.
await fill(IDS)
const perIdWhenFull = (used() - empty) / IDS

console.log(
  `${IDS.toLocaleString('en')} ids on Node ${process.versions.node}, in ${seconds.toFixed(1)} s`,
)
console.log(`${perId.toFixed(0)} bytes per id; ${perIdWhenFull.toFixed(0)} after as many again`)
console.log(`bound: ${BOUND} bytes per id`)
if (Math.max(perId, perIdWhenFull) > BOUND) process.exitCode = 1
// Used once more, so that it is not collected before it was measured.
if ((await store.claim('last', 'token', 30)).status !== 'claimed') process.exitCode = 1

async function fill(ids) {
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
