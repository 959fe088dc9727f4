// Measures one store: program.mjs NAME BLOCKS BLOCK. Sends the µs of CPU for each delivery, by subject and block.
import { randomUUID } from 'node:crypto'
import { createDeliveryHandler } from '@webhook-receiver/core'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import { interleaved } from '../statistics.mjs'
import { backends } from './backends.mjs'

/** How many deliveries are handled at a time. */
const AT_ONCE = 10

/** Rounds that do not count, until the cost no longer falls. A short run has as many as it counts. */
const WARM_UP = 25

const [name, blocks, block] = process.argv.slice(2)
const { store, claim, mark, close } = await backends[name]()
const handle = createDeliveryHandler(async () => {}, { store })
const subjects = { least, control: least, store: handle }
const samples = await interleaved(
  Object.entries(subjects).map(([name, work]) => ({ name, sample: () => measure(work) })),
  Number(blocks),
  Math.min(WARM_UP, Number(blocks)),
)
await close()
process.send(samples)
process.on('disconnect', () => process.exit())

/** One claim and one mark. Only what is a promise is waited for, as the receiver does. */
async function least({ id }) {
  const key = `webhook-receiver-bench:${id}`
  const token = randomUUID()
  const claiming = claim(key, token)
  const isNew = claiming instanceof Promise ? await claiming : claiming
  if (isNew !== true) throw new Error(`${name} does not claim a new delivery.`)
  const marking = mark(key, token)
  if (marking instanceof Promise) await marking
  return 'completed'
}

async function measure(work) {
  const deliveries = Array.from({ length: Number(block) }, newDelivery)
  const before = process.cpuUsage()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = deliveries.pop(); next; next = deliveries.pop()) {
        if ((await work(next)) !== 'completed') throw new Error(`${name} handled nothing.`)
      }
    }),
  )
  const { user, system } = process.cpuUsage(before)
  return (user + system) / block
}

/** Its id as it comes out of a body: randomUUID alone returns a string of twenty pieces. */
function newDelivery() {
  const { id } = JSON.parse(JSON.stringify({ id: randomUUID() }))
  return { ...sampleDelivery('message.received', { id }), known: true }
}
