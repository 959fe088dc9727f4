// Writes requests, valid, rejected and malformed, to the sockets of an application of each adapter.
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  oneOrAll,
  readCommandLine,
  text,
  wholeNumber,
} from '@webhook-receiver/checks/command-line.mjs'
import { tick } from '@webhook-receiver/checks/table.mjs'
import { ADAPTERS } from '../applications.mjs'
import { report } from './report.mjs'
import { inParallel } from './run-child.mjs'
import { startServer } from './sockets/child.mjs'
import { fuzzAdapter, SECRET } from './sockets/fuzz-adapter.mjs'
import { planFromJson } from './sockets/plan.mjs'
import { session } from './sockets/session.mjs'

const USAGE = `npm run break -- sockets [options]

Writes valid, rejected and malformed requests to the sockets of each adapter.

  --adapter NAME    ${ADAPTERS.join(', ')} or all (all)
  --requests N      requests to each adapter (2000)
  --minutes N       stops after this time (no limit)
  --connections N   connections to each adapter at the same time (48)
  --parallel N      adapters at the same time (2)
  --seed N          chooses the requests, but not the order in which connections take turns (1)
  --failures FILE   gets each connection that went wrong, one per line (socket-fuzz.jsonl in the
                    folder for temporary files)
  --replay FILE     sends the connections of such a file again

Exits with 1 if a response is wrong, an error is uncaught, or memory grows.`

const MEBIBYTE = 1024 * 1024

const MOST_PRINTED = 12

const { adapter, seed, parallel, replay, minutes, ...options } = readCommandLine(USAGE, {
  adapter: oneOrAll(ADAPTERS),
  requests: wholeNumber(2000),
  minutes: wholeNumber(Number.POSITIVE_INFINITY),
  connections: wholeNumber(48),
  parallel: wholeNumber(2),
  seed: wholeNumber(1),
  failures: text(),
  replay: text(),
})
const failures = options.failures ?? join(tmpdir(), 'socket-fuzz.jsonl')
if (replay) await sendAgain(replay)
else await fuzz()

async function fuzz() {
  console.error(`${options.requests} requests to each of ${adapter.join(', ')}, seed ${seed} …`)
  const settings = { ...options, seed, failures, milliseconds: 60_000 * minutes }
  const results = await inParallel(adapter, parallel, (name) => fuzzAdapter(name, settings))
  const failed = results.filter(({ faults }) => faults.length > 0)
  report({
    head: ['', ...adapter],
    rows: rowsOf(results),
    run: `seed ${seed}`,
    problems: [
      ...failed.map(({ adapter, faults }) =>
        [`${adapter}:`, ...faults.slice(0, MOST_PRINTED)].join('\n  '),
      ),
      ...(failed.length > 0 ? [`npm run break -- sockets --replay ${failures}`] : []),
    ],
    success: 'No wrong response, no uncaught error, no growth of memory.',
  })
}

function rowsOf(results) {
  const statuses = [...new Set(results.flatMap((result) => Object.keys(result.statuses)))].sort()
  const row = (name, cell) => [name, ...results.map((result) => String(cell(result)))]
  const mebibytes = (bytes) => `${(bytes / MEBIBYTE).toFixed(1)} MiB`
  return [
    row('requests', ({ requests }) => requests),
    row('connections', ({ connections }) => connections),
    row('of them given up', ({ gaveUp }) => gaveUp),
    ...statuses.map((status) =>
      row(`responded with ${status}`, (found) => found.statuses[status] ?? 0),
    ),
    row('seconds', ({ seconds }) => seconds.toFixed(0)),
    row('longest wait', ({ longest }) => `${longest.toFixed(0)} ms`),
    row('heap, early', ({ heap }) => mebibytes(heap.early)),
    row('heap, end', ({ heap }) => mebibytes(heap.late)),
    row('resident, most', ({ peak }) => mebibytes(peak)),
    row('rejections printed', ({ lines }) => lines),
    row('faults', ({ faults }) => `${tick(faults.length === 0)} ${faults.length}`),
  ]
}

/** Sends the connections of a file again, each to a new server with the clock of that time. */
async function sendAgain(file) {
  for (const line of (await readFile(file, 'utf8')).trim().split('\n')) {
    const { adapter, clock, plan, faults: before } = JSON.parse(line)
    const server = await startServer(adapter, SECRET, String(clock))
    const { faults, statuses } = await session(server, planFromJson(plan))
    server.stop()
    const found = [...faults, ...server.faults]
    if (found.length > 0) process.exitCode = 1
    console.log(`${adapter}: ${JSON.stringify(statuses)}, ${found.join('; ') || 'no fault'}`)
    console.log(`  before: ${before.join('; ')}`)
  }
}
