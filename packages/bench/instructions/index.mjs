import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { bytes } from '@webhook-receiver/tools/figures.mjs'
import { BASELINE, PLAIN, RECEIVER } from '../http/subjects.mjs'
import { SMALL } from '../http/tables.mjs'
import { quartiles } from '../statistics.mjs'

const execute = promisify(execFile)
const PROGRAM = fileURLToPath(new URL('program.mjs', import.meta.url))

/** The most instructions relative to plain node:crypto: what docs/evidence/instructions.md has, and a few hundredths. */
const LIMIT = 1.05

const SUBJECTS = ['receiver', 'plain']

/**
 * They make V8 do the same each time: it compiles and collects on one thread, at times that depend on calls
 * and not on the clock. The compiled code is the same as without them.
 */
const V8 = [
  '--predictable',
  '--predictable-gc-schedule',
  '--single-threaded',
  '--random-seed=1',
  '--hash-seed=1',
  '--v8-pool-size=0',
]

/**
 * Counts the instructions of `receive()` and of plain node:crypto with JSON.parse, with valgrind; with `framework`, those of
 * a request to a server of that framework.
 */
export async function run({ framework, ...options }) {
  const missing = await missingTools()
  if (missing.length > 0) {
    const line = `Not installed: ${missing.join(', ')}. Install them with: apt-get install valgrind util-linux`
    return { tables: [], inconclusive: [line] }
  }
  return framework ? countRequests(framework, options) : countCalls(options)
}

/** A request goes through all of Node's HTTP server, but through no socket. */
async function countRequests(framework, { calls, repeats, progress }) {
  const rows = []
  for (const name of [BASELINE, RECEIVER, PLAIN]) {
    const { perCall } = await count(`${framework}/${name}`, SMALL, { calls, repeats, progress })
    rows.push({ name, instructions: median(perCall) })
  }
  const [floor] = rows
  return {
    tables: [
      {
        title: `Instructions of a request of ${bytes(SMALL)} (${framework}, Node ${process.versions.node}, ${calls} requests)`,
        head: ['', 'instructions', `relative to the ${BASELINE}`],
        rows: rows.map(({ name, instructions }) => [
          name,
          Math.round(instructions),
          (instructions / floor.instructions).toFixed(3),
        ]),
      },
    ],
    json: rows,
  }
}

async function countCalls({ sizes, calls, repeats, progress }) {
  const results = []
  for (const size of sizes) {
    const counted = {}
    for (const subject of SUBJECTS)
      counted[subject] = await count(subject, size, { calls, repeats, progress })
    const [receiver, plain] = SUBJECTS.map((subject) => median(counted[subject].perCall))
    results.push({ size, ratio: receiver / plain, ...counted })
  }
  return {
    tables: [tableOf(results, { calls, repeats })],
    failures: results
      .filter(({ ratio }) => !(ratio <= LIMIT))
      .map(
        ({ size, ratio }) => `${bytes(size)}: ${ratio.toFixed(3)} is above the limit of ${LIMIT}.`,
      ),
    json: results,
  }
}

/** The instructions of a call: the difference of 2 N calls and N, of each repeat. */
async function count(subject, size, { calls, repeats, progress }) {
  const totals = []
  for (let repeat = 0; repeat < repeats; repeat++) {
    totals.push(
      await Promise.all([1, 2].map((times) => instructions(subject, size, times * calls))),
    )
    progress(`${subject}, ${bytes(size)}: ${totals.at(-1).join(' and ')} instructions`)
  }
  return { perCall: totals.map(([once, twice]) => (twice - once) / calls), totals }
}

async function instructions(subject, size, calls) {
  const { stderr } = await execute(
    'setarch',
    [
      // Random addresses make hash tables with a random layout.
      '--addr-no-randomize',
      ...['valgrind', '--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null'],
      ...[process.execPath, ...V8, PROGRAM, subject, size, calls].map(String),
    ],
    // No environment: it lies in the same memory.
    { env: { PATH: process.env.PATH } },
  )
  const found = /I\s+refs:\s+([\d,]+)/.exec(stderr)?.[1]
  if (found === undefined) throw new Error(`valgrind counted nothing:\n${stderr}`)
  return Number(found.replaceAll(',', ''))
}

async function missingTools() {
  const tools = ['valgrind', 'setarch']
  const found = await Promise.allSettled(tools.map((tool) => execute(tool, ['--version'])))
  return tools.filter((_, index) => found[index].status === 'rejected')
}

function tableOf(results, { calls, repeats }) {
  return {
    title: `Instructions of a call (Node ${process.versions.node}, OpenSSL ${process.versions.openssl}, ${calls} calls, ${repeats} repeats)`,
    head: [
      'body',
      'receive()',
      'repeats differ by',
      'plain node:crypto, JSON.parse',
      'repeats differ by',
      'ratio',
    ],
    rows: results.map(({ size, ratio, receiver, plain }) => [
      bytes(size),
      ...[receiver, plain].flatMap(({ perCall }) => [
        Math.round(median(perCall)),
        (Math.max(...perCall) / Math.min(...perCall) - 1).toExponential(1),
      ]),
      ratio.toFixed(3),
    ]),
    note: `Limit of the ratio: ${LIMIT}.`,
  }
}

function median(numbers) {
  return quartiles(numbers).median
}
