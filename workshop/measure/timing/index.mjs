// Compares the time of rejecting digests that begin right with those that begin wrong, as dudect does.
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { readCommandLine, wholeNumber } from '@webhook-receiver/checks/command-line.mjs'
import { run as execute } from '@webhook-receiver/checks/step.mjs'
import { LIMIT } from './welch.mjs'

const PROGRAM = fileURLToPath(new URL('program.mjs', import.meta.url))
/** Of each function and run. */
const SAMPLES = 1_000_000

/** How often a run is repeated if its controls fail. */
const ATTEMPTS = 3

const { runs, seed } = readCommandLine(
  'measure -- timing',
  `Exits with 1 if the time of a rejection depends on how much of the signature is right, and with 2 if the machine is too noisy to tell.`,
  {
    runs: wholeNumber(3, 'each in its own process'),
    seed: wholeNumber(1, 'of all random choices'),
  },
)
const rows = []
for (const backend of ['node', 'web']) {
  for (let run = 0; run < runs; run++) await addRun(backend, seed + 100 * run)
}
// In nanoseconds: `seen` is the difference that could be detected.
console.table(rows)

/**
 * In its own process, and again with the next seed if the controls fail. The result of the library
 * does not count for that, or a leak could disappear by repetition.
 */
async function addRun(backend, seed, attempt = 1) {
  console.error(`${backend}, seed ${seed}, load ${loadavg()[0].toFixed(1)} …`)
  const args = [PROGRAM, backend, SAMPLES, seed].map(String)
  const subjects = JSON.parse(await execute(process.execPath, args))
  if (!subjects.every(isExpected)) {
    if (attempt < ATTEMPTS) return addRun(backend, seed + 1, attempt + 1)
    process.exitCode ??= 2
    console.log(`${backend}: no result, the controls failed.`)
  } else if (subjects.some(({ control, t }) => !control && Math.abs(t) >= LIMIT)) {
    process.exitCode = 1
    console.log(`${backend}, seed ${seed}: the time depends on the digest.`)
  }
  for (const { name, ...found } of subjects) {
    const [t, difference, seen] = [found.t, found.difference, found.seen].map((x) => x.toFixed(2))
    rows.push({ backend, name, t, difference, seen })
  }
}

/** Whether the test found the leak of the control that has one, and none between two equal classes. */
function isExpected({ control, t }) {
  return !control || (control === 'beyond') === Math.abs(t) > LIMIT
}
