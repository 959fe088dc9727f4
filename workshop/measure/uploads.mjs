// Holds unsigned uploads open at an application of each adapter, and sends deliveries beside them.
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { flag, number, oneOrAll, readCommandLine } from '@webhook-receiver/checks/command-line.mjs'
import { peakMemory } from '@webhook-receiver/checks/peak-memory.mjs'
import { createDelivery, signedRequest } from '@webhook-receiver/checks/signing.mjs'
import { send } from '@webhook-receiver/checks/wire.mjs'
import { ADAPTERS } from '@webhook-receiver/trials/applications.mjs'
import { SECRET } from './messages.mjs'
import { startServer } from './processes.mjs'

const MEBIBYTE = 1024 * 1024
const SIZE = 25 * MEBIBYTE

/** The bytes of a delivery that is sent beside the uploads, and how many there are. */
const DELIVERY = 1_200_000
const DELIVERIES = 100

const USAGE = `npm run measure -- uploads [options]

  --adapter NAME   ${ADAPTERS.join(', ')} or all, one after the other (default: all)
  --held N         uploads of 25 MiB that are held open (default: 40)
  --unbounded      without the bound of unverifiedBytes, to see what it does

Linux only.`

const options = readCommandLine(USAGE, {
  adapter: oneOrAll(ADAPTERS),
  held: number(40, { least: 1 }),
  unbounded: flag(),
})

const rows = []
for (const adapter of options.adapter) {
  console.error(`${adapter} …`)
  rows.push(await measure(adapter))
}
console.table(rows)
if (!options.unbounded && rows.some(({ accepted }) => accepted < DELIVERIES - 1)) {
  process.exitCode = 1
}

async function measure(adapter) {
  const given = { limit: SIZE, ...(options.unbounded && { unverifiedBytes: 1e12 }) }
  const server = await startServer('soak-server.mjs', [adapter, JSON.stringify(given)])
  const { port } = server
  // What it loads and compiles.
  for (let sent = 0; sent < 20; sent++) await deliver(port)
  const before = await server.ask('memory')
  peakMemory(server.child.pid)
  const workerData = { port, count: options.held, size: SIZE }
  const holding = new Worker(new URL('uploads-sender.mjs', import.meta.url), { workerData })
  await delay(3000)
  const outcomes = []
  for (let sent = 0; sent < DELIVERIES; sent++) outcomes.push(await deliver(port))
  const { buffers } = await server.ask('memory')
  const peak = peakMemory(server.child.pid)
  await holding.terminate()
  await server.stop('SIGKILL')
  const times = outcomes.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  return {
    adapter,
    accepted: outcomes.filter(({ outcome }) => outcome === 200 || outcome === 204).length,
    p50: `${Math.round(times[DELIVERIES / 2])} ms`,
    p99: `${Math.round(times.at(-2))} ms`,
    held: `${Math.round(buffers / MEBIBYTE)} MiB`,
    grew: `${Math.round(peak - before.rss / MEBIBYTE)} MiB`,
  }
}

function deliver(port) {
  const delivery = createDelivery('message.received', { text: 'x'.repeat(DELIVERY) })
  return send(port, signedRequest(SECRET, delivery))
}
