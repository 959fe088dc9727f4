import { execFile } from 'node:child_process'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { LIMIT } from './welch.mjs'

const PROGRAM = fileURLToPath(new URL('run.mjs', import.meta.url))

/**
 * Makes a run in a process of its own, and makes it again, with the next seed, where its controls say that it
 * proves nothing. What it says of the library is not looked at for that, or a leak could be tried away.
 */
export async function runUntilSteady(backend, { samples, attempts, obvious }, seed) {
  for (let attempt = 0; ; attempt++) {
    const own = seed + attempt
    const load = loadavg()[0].toFixed(1)
    console.error(`${backend}, seed ${own}: ${samples} samples of each, load ${load} …`)
    const args = [PROGRAM, backend, samples, own, obvious ? 'obvious' : 'fixed'].map(String)
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
    process.stderr.write(stderr)
    const run = { seed: own, load, discarded: attempt, subjects: JSON.parse(stdout) }
    if (isSteady(run) || attempt + 1 >= attempts) return run
    console.error('  the controls are not where they belong; once more')
  }
}

/** Whether the test found the comparison that leaks, and told two equal classes not apart. */
export function isSteady({ subjects }) {
  return subjects.every(
    ({ control, t }) => control === undefined || (control === 'beyond') === Math.abs(t) > LIMIT,
  )
}
