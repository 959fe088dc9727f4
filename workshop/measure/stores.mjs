import { randomUUID } from 'node:crypto'
import { memoryStore } from '@webhook-receiver/core'
import { memoryInUse } from './memory.mjs'

/** What `maxEntries` of memoryStore promises, in bytes. */
const BOUND = 300

const IDS = 1_000_000

/** What each of a million ids takes of the memory store. */
export async function measure() {
  const store = memoryStore({ maxEntries: IDS })
  const before = memoryInUse().heap
  const fill = async (count) => {
    for (let filled = 0; filled < count; filled++) {
      // With an id as it comes out of a body: randomUUID alone returns a string of twenty pieces.
      const key = JSON.parse(JSON.stringify(`default:${randomUUID()}`))
      const token = randomUUID()
      await store.claim(key, token, 30)
      await store.complete(key, token)
    }
    return Math.round((memoryInUse().heap - before) / IDS)
  }
  const each = await fill(IDS)
  // The table grows once more while others take the places of some.
  const most = await fill(IDS / 10)
  // Used once more, so that it is not collected before.
  await store.release('any', 'token')
  if (most > BOUND) throw new Error(`An id of the memory store takes ${most} B: too much.`)
  return [[`heap for each of ${IDS.toLocaleString('en')} ids in the memory store`, '', `${each} B`]]
}
