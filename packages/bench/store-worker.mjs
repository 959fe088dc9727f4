// One of several processes on one store, for stores.mjs: node store-worker.mjs <backend> <table> [a built checkout]
import { randomUUID } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { createDeliveryHandler } from '@webhook-receiver/core'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import { BACKENDS } from './backends.mjs'

const [, , backend, table, before] = process.argv
const now = (name) => import(`@webhook-receiver/${name}`)
const then = (name) => import(pathToFileURL(`${before}/packages/${name}/dist/index.js`).href)
const { store, handler = () => {}, close, ...plain } = await BACKENDS[backend](now, table)
const subjects = { plain: leastOf(plain), store: createDeliveryHandler(handler, { store }) }
let closeThen = () => {}
if (before) {
  const earlier = await BACKENDS[backend](then, table)
  closeThen = earlier.close
  subjects.before = createDeliveryHandler(earlier.handler ?? (() => {}), { store: earlier.store })
}

process.on('message', async ({ subject, deliveries }) => {
  if (subject) {
    await handleAll(subjects[subject], deliveries)
    return process.send('done')
  }
  await close()
  await closeThen()
  process.send('closed')
  process.disconnect()
})
process.send('ready')

/** As in the receiver, only what is a promise is awaited, and a database that does not respond is not waited for. */
function leastOf({ claim, mark, transact }) {
  return async ({ id }) => {
    const token = randomUUID()
    if (transact) return (await inTime(transact(id, token))) && 'completed'
    const claiming = claim(id, token)
    const isNew = claiming instanceof Promise ? await inTime(claiming) : claiming
    if (!isNew) throw new Error('A new delivery was not claimed.')
    const marking = mark(id, token)
    return (marking instanceof Promise ? await inTime(marking) : marking) && 'completed'
  }
}

function inTime(work) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(reject, 5000, new Error('The database did not respond.'))
    const settle = (end) => (result) => {
      clearTimeout(timer)
      end(result)
    }
    work.then(settle(resolve), settle(reject))
  })
}

/** Ten at a time. */
async function handleAll(handle, count) {
  const deliveries = Array.from({ length: count }, newDelivery)
  const work = async () => {
    for (let next = deliveries.pop(); next; next = deliveries.pop()) {
      if ((await handle(next)) !== 'completed') throw new Error('A delivery was not handled.')
    }
  }
  await Promise.all(Array.from({ length: 10 }, work))
}

/** With an id as it comes out of a body: randomUUID alone returns a string of twenty pieces. */
function newDelivery() {
  const id = JSON.parse(JSON.stringify(randomUUID()))
  return { ...sampleDelivery('message.received', { id }), known: true }
}
