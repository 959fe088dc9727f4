// Keeps an application of each adapter busy; every response must be right, and memory must not grow.
import { setTimeout as delay } from 'node:timers/promises'
import { oneOrAll, readCommandLine } from '@webhook-receiver/checks/command-line.mjs'
import { signDelivery } from '@webhook-receiver/core/testing'
import { ADAPTERS } from '@webhook-receiver/trials/applications.mjs'
import { openConnections } from './load.mjs'
import { SECRET } from './messages.mjs'
import { startServer } from './processes.mjs'

const { adapter: adapters } = readCommandLine(
  'measure -- soak',
  'Keeps applications busy, all at the same time. Exits with 1 if a response is wrong or memory grows.',
  { adapter: oneOrAll(ADAPTERS, 'what it is built on') },
)

/** How long, in seconds. */
const DURATION = 600

/**
 * With a bound, V8 does not enlarge its young generation: without, it grows once by some 30 MiB at a
 * moment of its choice, and holds nothing after a collection.
 */
const FLAGS = [
  '--max-semi-space-size=2',
  '--unhandled-rejections=strict',
  '--disable-warning=DEP0170',
]

const MEBIBYTE = 1024 * 1024

/** How often memory is measured. The server collects its garbage first; the first tenth, while it warms up, does not count. */
const SAMPLES = 80

/** How much the mean of the last quarter may be above that of the first, in MiB. */
const MOST_GROWTH = 10

/** What a receiver may print: lines of rejections. */
const REJECTION = /^\[webhook-receiver\] /

/** Between two kinds of requests, in milliseconds. */
const PAUSE = 70

const old = () => Date.now() - 600_000
const valid = (headers) => () => signed(SECRET, 'message.received', undefined, headers)

/** What each kind of request gets, with what signs it: a signature is accepted for some minutes. */
const REJECTED = [
  [401, valid({ 'X-Webhook-Signature': `sha256=${'0'.repeat(64)}` })],
  [401, valid({ 'X-Webhook-Signature': '' })],
  [401, valid({ 'X-Webhook-Timestamp': '1' })],
  [401, () => signed('whsec_forged', 'message.received')],
  [401, () => signed(SECRET, 'message.received', { now: old })],
  [400, () => signed(SECRET, { id: '1' })],
  [415, valid({ 'Content-Encoding': 'gzip' })],
]
const TOO_LARGE = [
  413,
  async () => ({ ...(await valid()()), body: Buffer.alloc(2 * MEBIBYTE, ' ') }),
]

/** Before one that is too large, which costs as much as hundreds of others. */
const CYCLES = 8

/** One in four is rejected, for each reason in turn. */
const KINDS = [
  ...Array.from({ length: CYCLES }, () =>
    REJECTED.flatMap((each) => [...Array(3).fill([204, valid()]), each]),
  ).flat(),
  TOO_LARGE,
]

const results = await Promise.all(adapters.map(soak))
console.table(results.map(({ faults, ...result }) => ({ ...result, faults: faults.length })))
for (const { adapter, faults } of results) {
  for (const fault of faults.slice(0, 12)) console.log(`${adapter}: ${fault}`)
  if (faults.length > 0) process.exitCode = 1
}

async function signed(secret, delivery, options, more) {
  const { headers, body } = await signDelivery(secret, delivery, options)
  return { path: '/webhooks', headers: { ...headers, ...more }, body: Buffer.from(body) }
}

async function soak(adapter) {
  const server = await startServer('soak-server.mjs', [adapter], FLAGS)
  const connections = openConnections(server.port)
  const faults = []
  const memory = []
  const started = performance.now()
  const end = started + DURATION * 1000
  let requests = 0
  for (let at = 0; performance.now() < end; at++) {
    const [status, sign] = KINDS[at % KINDS.length]
    const amount = status === 413 ? 1 : 10
    const { [status]: right = 0, ...others } = await connections.send(await sign(), amount)
    if (right !== amount) faults.push(`${JSON.stringify(others)} instead of ${status}`)
    requests += amount
    const share = (performance.now() - started) / (end - started)
    if (share > 0.1 && memory.length < (share - 0.1) * SAMPLES)
      memory.push(await server.ask('memory'))
    await delay(PAUSE)
  }
  connections.close()
  const { stdout, stderr } = await server.stop()
  for (const line of (stdout + stderr).split('\n')) {
    if (line && !REJECTION.test(line)) faults.push(`printed: ${line}`)
  }
  const result = { adapter, requests, faults }
  for (const name of ['heap', 'rss']) {
    const [first, last] = quarters(memory.map((sample) => sample[name] / MEBIBYTE))
    result[name] = `${first.toFixed(1)} → ${last.toFixed(1)} MiB`
    if (last - first > MOST_GROWTH) faults.push(`${name} grew: ${result[name]}`)
  }
  return result
}

function quarters(values) {
  const quarter = Math.floor(values.length / 4)
  const mean = (part) => part.reduce((sum, value) => sum + value, 0) / part.length
  return [mean(values.slice(0, quarter)), mean(values.slice(-quarter))]
}
