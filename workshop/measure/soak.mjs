// Keeps an application of each adapter busy; every response must be right, and memory must not grow.
import { setTimeout as delay } from 'node:timers/promises'
import { oneOrAll, readCommandLine } from '@webhook-receiver/checks/command-line.mjs'
import { signDelivery } from '@webhook-receiver/core/testing'
import { ADAPTERS } from '@webhook-receiver/trials/applications.mjs'
import autocannon from 'autocannon'
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

/** Requests before one that is too large: that costs as much as hundreds of others. */
const CYCLES = 8

const deliveries = {}
await sign()
// A signature is accepted for some minutes.
const signing = setInterval(sign, 60_000)
const results = await Promise.all(adapters.map(soak))
clearInterval(signing)
console.table(results.map(({ faults, ...result }) => ({ ...result, faults: faults.length })))
for (const { adapter, faults } of results) {
  for (const fault of faults.slice(0, 12)) console.log(`${adapter}: ${fault}`)
  if (faults.length > 0) process.exitCode = 1
}

async function sign() {
  const old = () => Date.now() - 600_000
  deliveries.valid = await signDelivery(SECRET, 'message.received')
  deliveries.tooOld = await signDelivery(SECRET, 'message.received', { now: old })
  deliveries.forged = await signDelivery('whsec_forged', 'message.received')
  deliveries.noDelivery = await signDelivery(SECRET, { id: '1' })
}

async function soak(adapter) {
  const server = await startServer('soak-server.mjs', [adapter], FLAGS)
  const faults = []
  const memory = []
  const load = autocannon({
    url: server.url,
    connections: 32,
    overallRate: 150,
    timeout: 60,
    duration: DURATION,
    requests: requestsOf(faults),
  })
  for (let count = 0; count < SAMPLES; count++) {
    await delay((DURATION * 1000) / SAMPLES)
    if (count >= SAMPLES / 10) memory.push(await server.ask('memory'))
  }
  const { requests, errors, timeouts } = await load
  const { stdout, stderr } = await server.stop()
  if (errors + timeouts > 0) faults.push(`${errors} errors and ${timeouts} timeouts`)
  for (const line of (stdout + stderr).split('\n')) {
    if (line && !REJECTION.test(line)) faults.push(`printed: ${line}`)
  }
  const result = { adapter, requests: requests.total, faults }
  for (const name of ['heap', 'rss']) {
    const [first, last] = quarters(memory.map((sample) => sample[name] / MEBIBYTE))
    result[name] = `${first.toFixed(1)} → ${last.toFixed(1)} MiB`
    if (last - first > MOST_GROWTH) faults.push(`${name} grew: ${result[name]}`)
  }
  return result
}

/** One in four is rejected, for each reason in turn. */
function requestsOf(faults) {
  const request = (status, name = 'valid', headers = {}, body = undefined) => ({
    method: 'POST',
    setupRequest: (given) => ({
      ...given,
      headers: { ...deliveries[name].headers, ...headers },
      body: body ?? Buffer.from(deliveries[name].body),
    }),
    onResponse(found) {
      if (found !== status) faults.push(`${found} instead of ${status}`)
    },
  })
  const rejected = [
    request(401, 'valid', { 'X-Webhook-Signature': `sha256=${'0'.repeat(64)}` }),
    request(401, 'valid', { 'X-Webhook-Signature': '' }),
    request(401, 'valid', { 'X-Webhook-Timestamp': '1' }),
    request(401, 'forged'),
    request(401, 'tooOld'),
    request(400, 'noDelivery'),
    request(415, 'valid', { 'Content-Encoding': 'gzip' }),
  ]
  const valid = request(204)
  const cycle = rejected.flatMap((each) => [valid, valid, valid, each])
  const tooLarge = request(413, 'valid', {}, Buffer.alloc(2 * MEBIBYTE, ' '))
  return [...Array.from({ length: CYCLES }, () => cycle).flat(), tooLarge]
}

function quarters(values) {
  const quarter = Math.floor(values.length / 4)
  const mean = (part) => part.reduce((sum, value) => sum + value, 0) / part.length
  return [mean(values.slice(0, quarter)), mean(values.slice(-quarter))]
}
