import { bytes } from '../figures.mjs'
import { startProcess } from '../processes.mjs'
import { load } from './load.mjs'

const SECRET = 'whsec_for_the_soak_only'

/**
 * With a bound, V8 does not enlarge its young generation: without, it grows once by some 30 MiB at a
 * moment of its choice, and holds nothing after a collection.
 */
const FLAGS = [
  '--max-semi-space-size=2',
  '--unhandled-rejections=strict',
  '--disable-warning=DEP0170',
]

/** How often memory is measured. The server collects its garbage first. */
const SAMPLES = 80

/** The part of the time in which a server warms up, which does not count. */
const WARM = 0.1

/** How much the mean of the last quarter may be above that of the first, in bytes. */
const MOST_GROWTH = 10 * 1024 * 1024

/** What a receiver may print: one line for each reason and minute. */
const REJECTION = /^\[webhook-receiver\] /

/** Keeps an application of each adapter busy; every response must be right, and memory must not grow. */
export async function run(options) {
  const { adapter: adapters, minutes, connections, seed, progress } = options
  progress(`${minutes} minutes, ${connections} connections to each of ${adapters.join(', ')} …`)
  const results = await Promise.all(adapters.map((adapter) => soak(adapter, options)))
  return {
    tables: [
      tableOf(results, `Soak: ${minutes} minutes, ${connections} connections each, seed ${seed}`),
    ],
    failures: results.flatMap(({ adapter, faults }) =>
      faults.slice(0, 12).map((fault) => `${adapter}: ${fault}`),
    ),
    json: results,
  }
}

async function soak(adapter, { minutes, connections, rate, seed }) {
  const milliseconds = 60_000 * minutes
  const server = await startProcess(new URL('./server.mjs', import.meta.url), [adapter, SECRET], {
    flags: FLAGS,
  })
  const samples = []
  try {
    const { port } = await server.reply()
    const started = performance.now()
    const until = started + milliseconds
    const loaded = load(adapter, { port, secret: SECRET, until, connections, rate, seed })
    for (let count = 1; count <= SAMPLES; count++) {
      await waitUntil(started + (milliseconds * count) / SAMPLES)
      samples.push(await server.ask('memory'))
    }
    const result = await loaded
    const memory = {
      heap: quarters(samples.map(({ heap }) => heap)),
      resident: quarters(samples.map(({ rss }) => rss)),
    }
    const rejections = server.lines.filter((line) => REJECTION.test(line)).length
    return {
      adapter,
      ...result,
      memory,
      rejections,
      faults: faultsOf(result, memory, server.lines),
    }
  } catch (error) {
    return { adapter, statuses: {}, faults: [error.message] }
  } finally {
    await server.stop()
  }
}

function faultsOf({ wrong, examples }, memory, lines) {
  return [
    ...lines.filter((line) => !REJECTION.test(line)).map((line) => `printed: ${line}`),
    ...(wrong > 0 ? [`${wrong} wrong responses: ${examples.join('; ')}`] : []),
    ...Object.entries(memory)
      .filter(([, { first, last }]) => last - first > MOST_GROWTH)
      .map(([name, { first, last }]) => `${name} memory grew by ${bytes(last - first)}`),
  ]
}

function tableOf(results, title) {
  const statuses = [...new Set(results.flatMap((result) => Object.keys(result.statuses)))].sort()
  const row = (name, cell) => [name, ...results.map((result) => cell(result) ?? '–')]
  const mebibytes = (size) => size && `${(size / 1024 ** 2).toFixed(1)} MiB`
  return {
    title,
    head: ['', ...results.map(({ adapter }) => adapter)],
    rows: [
      row('requests', ({ requests }) => requests),
      ...statuses.map((status) =>
        row(`responded with ${status}`, (found) => found.statuses[status] ?? 0),
      ),
      row('wrong responses', ({ wrong }) => wrong),
      ...['heap', 'resident'].flatMap((name) => [
        row(`${name}, first quarter`, ({ memory }) => mebibytes(memory?.[name].first)),
        row(`${name}, last quarter`, ({ memory }) => mebibytes(memory?.[name].last)),
      ]),
      row('rejections printed', ({ rejections }) => rejections),
      row('faults', ({ faults }) => faults.length),
    ],
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
