import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a command and gives what it wrote; where it fails, the error's message holds all of its output. */
export async function run(command, args, options = {}) {
  try {
    const { stdout } = await execute(command, args, { maxBuffer: 2 ** 26, ...options })
    return stdout
  } catch (error) {
    const output = `${error.stdout ?? ''}${error.stderr ?? ''}`.trim()
    throw new Error(`${command} ${args.join(' ')}\n${output || error.message}`)
  }
}

/** Does one piece of work and prints a line for it, with the time it took. */
export async function step(name, work) {
  const started = performance.now()
  try {
    return await work()
  } finally {
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`${seconds.padStart(6)} s  ${name}`)
  }
}

/** As Promise.all over `items`, two at a time: CI has two cores. */
export async function pairwise(items, work) {
  const results = []
  const waiting = items.entries()
  const worker = async () => {
    for (const [index, item] of waiting) results[index] = await work(item)
  }
  // Settled, so that nothing is still at work when a failure is told.
  const ends = await Promise.allSettled([worker(), worker()])
  for (const { reason } of ends) if (reason) throw reason
  return results
}

/** Prints a line for each result and, below, what was wrong; the process then ends with 1. */
export function conclude(results) {
  const width = Math.max(...results.map(({ name }) => name.length))
  console.log()
  for (const { name, saw = '', problems } of results) {
    console.log(
      `${problems.length > 0 ? 'FAILED' : 'ok    '}  ${name.padEnd(width)}  ${saw}`.trimEnd(),
    )
  }
  const failed = results.filter(({ problems }) => problems.length > 0)
  for (const { name, problems } of failed) console.error(`\n${name}\n${problems.join('\n')}`)
  console.log(`\n${results.length - failed.length} of ${results.length} passed`)
  if (failed.length > 0) process.exitCode = 1
}
