import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const PROGRAM = fileURLToPath(new URL('program.mjs', import.meta.url))

/**
 * What makes V8 do the same each time: compilation and collection on the one thread, at times that depend on
 * what was called and not on the clock. The code that is compiled is the same as without.
 */
const V8 = [
  '--predictable',
  '--predictable-gc-schedule',
  '--single-threaded',
  '--random-seed=1',
  '--hash-seed=1',
  '--v8-pool-size=0',
]

/** How many programs are counted at once: they only get in the way of each other's time. */
const AT_ONCE = 2

/**
 * How many instructions a call takes: the difference between 2 N calls and N, of each repeat.
 *
 * @returns {Promise<{ perCall: number[], totals: number[][] }>} `totals` are those of N calls and of 2 N
 */
export async function count(subject, bytes, { calls, repeats }) {
  const waiting = Array.from({ length: repeats }, (_, repeat) => [
    { repeat, times: 1 },
    { repeat, times: 2 },
  ]).flat()
  const totals = [[], []]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { repeat, times } = next
      totals[times - 1][repeat] = await instructions(subject, bytes, times * calls)
      console.error(
        `${subject}, ${bytes} bytes, ${times * calls} calls: ${totals[times - 1][repeat]} instructions`,
      )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const perCall = totals[1].map((twice, repeat) => (twice - totals[0][repeat]) / calls)
  return { perCall, totals }
}

async function instructions(subject, bytes, calls) {
  const { stderr } = await run(
    'setarch',
    [
      // Addresses at random make hash tables that are laid out at random.
      '--addr-no-randomize',
      ...['valgrind', '--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null'],
      ...[process.execPath, ...V8, PROGRAM, subject, bytes, calls].map(String),
    ],
    // Nothing of the environment, which lies in the same memory.
    { env: { PATH: process.env.PATH } },
  )
  const found = /I\s+refs:\s+([\d,]+)/.exec(stderr)?.[1]
  if (found === undefined) throw new Error(`valgrind counted nothing:\n${stderr}`)
  return Number(found.replaceAll(',', ''))
}

/** The commands that are needed and not here. */
export async function missingTools() {
  const tools = ['valgrind', 'setarch']
  const found = await Promise.allSettled(tools.map((tool) => run(tool, ['--version'])))
  return tools.filter((_, index) => found[index].status === 'rejected')
}
