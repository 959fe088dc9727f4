import { randomUUID } from 'node:crypto'
import { memoryStore } from '@webhook-receiver/core'
import { count } from '../figures.mjs'
import { memoryInUse } from '../memory.mjs'
import { newKey } from './ids.mjs'

/** Bytes for each id, as docs/handling.md and the `maxEntries` option state. */
const BOUND = 300

/** How often every id is replaced by another, and in how many steps that is measured. */
const TURNS = 2
const STEPS = 10

/** The bytes that a full memory store uses for each id, compared with the documented bound. */
export async function run({ ids, progress }) {
  const results = []
  for (const size of ids) {
    progress(`memory-store: ${count(size)} ids …`)
    results.push({ size, ...(await measure(size)) })
  }
  return {
    tables: [
      {
        title: `Memory store (Node ${process.versions.node}), bound: ${BOUND} bytes for each id`,
        head: ['ids', 'bytes each, when filled', `at most, while all were replaced ${TURNS} times`],
        rows: results.map(({ size, filled, most }) => [
          count(size),
          filled.toFixed(0),
          most.toFixed(0),
        ]),
      },
    ],
    failures: results
      .filter(({ most }) => most > BOUND)
      .map(({ size }) => `${count(size)} ids use more than ${BOUND} bytes each.`),
    json: results,
  }
}

async function measure(size) {
  const store = memoryStore({ maxEntries: size })
  const empty = memoryInUse().heap
  const bytesEach = () => (memoryInUse().heap - empty) / size
  await fill(store, size)
  const filled = bytesEach()
  let most = filled
  // Each of these replaces another, so the memory must not grow.
  for (let step = 0; step < TURNS * STEPS; step++) {
    await fill(store, size / STEPS)
    most = Math.max(most, bytesEach())
  }
  // Used once more, so that it is not collected before it was measured.
  await store.release('any', 'token')
  return { filled, most }
}

async function fill(store, ids) {
  for (let filled = 0; filled < ids; filled++) {
    const key = newKey()
    const token = randomUUID()
    await store.claim(key, token, 30)
    await store.complete(key, token)
  }
}
