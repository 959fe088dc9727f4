import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { run as execute } from '@webhook-receiver/checks/step.mjs'
import { LEAK } from './subjects.mjs'
import { LIMIT } from './welch.mjs'

const PROGRAM = fileURLToPath(new URL('program.mjs', import.meta.url))

/** Compares the time of rejecting digests that begin right with those that begin wrong, as dudect does. */
export async function run(options) {
  const { backend: backends, obvious, progress } = options
  const results = []
  for (const backend of backends) {
    const runs = []
    for (let run = 0; run < options.runs; run++) {
      runs.push(await runUntilValid(backend, options, options.seed + 100 * run, progress))
    }
    results.push({ backend, runs })
  }
  return {
    tables: [tableOf(results, options)],
    json: results,
    ...(obvious ? {} : conclude(results)),
  }
}

/**
 * Runs in its own process, and again with the next seed if the controls fail. The result of the library
 * does not count for that, or a leak could disappear by repetition.
 */
async function runUntilValid(backend, { samples, attempts, obvious }, seed, progress) {
  for (let attempt = 0; ; attempt++) {
    const own = seed + attempt
    const load = loadavg()[0].toFixed(1)
    progress(`${backend}, seed ${own}: ${samples} samples of each, load ${load} …`)
    const args = [PROGRAM, backend, samples, own, obvious ? 'obvious' : 'fixed'].map(String)
    const subjects = JSON.parse(await execute(process.execPath, args))
    const run = { seed: own, load, discarded: attempt, subjects }
    if (isValid(run) || attempt + 1 >= attempts) return run
    progress('  the controls failed; again')
  }
}

/** Whether the test found the leak in each control that has one, and none between two equal classes. */
function isValid({ subjects }) {
  return subjects.every(
    ({ control, t }) => control === undefined || (control === 'beyond') === Math.abs(t) > LIMIT,
  )
}

function tableOf(results, { runs, samples, obvious }) {
  const columns = Array.from({ length: runs }, (_, run) => `t of run ${run + 1}`)
  const loads = results.map(
    ({ backend, runs }) =>
      `${backend}: load ${runs.map(({ load }) => load).join(', ')}; runs repeated: ${runs.reduce((sum, run) => sum + run.discarded, 0)}.`,
  )
  return {
    title: `Welch’s t between right and wrong beginnings (Node ${process.versions.node}, ${samples} samples)`,
    head: ['backend', 'what', ...columns, 'difference', 'detectable from'],
    rows: results.flatMap(({ backend, runs }) =>
      runs[0].subjects.map(({ name }, index) => [backend, name, ...cellsOf(runs, index)]),
    ),
    note: [
      ...loads,
      ...(obvious ? ['A wrong choice of classes: this says nothing about the code.'] : []),
    ].join('\n'),
  }
}

function cellsOf(runs, index) {
  const own = runs.map(({ subjects }) => subjects[index])
  const largest = own.toSorted((a, b) => Math.abs(b.difference) - Math.abs(a.difference))[0]
  return [
    ...own.map(({ t }) => t.toFixed(2)),
    `${largest.difference.toFixed(2)} ns`,
    `${Math.max(...own.map(({ seen }) => seen)).toFixed(2)} ns`,
  ]
}

function conclude(results) {
  const runs = results.flatMap(({ backend, runs }) => runs.map((run) => ({ backend, ...run })))
  const invalid = runs.filter((run) => !isValid(run))
  return {
    failures: runs
      .filter(isValid)
      .flatMap(({ backend, seed, subjects }) =>
        subjects
          .filter(({ control, t }) => control === undefined && Math.abs(t) >= LIMIT)
          .map(
            ({ name, t }) =>
              `The time of ${name} (${backend}) depends on the digest: t = ${t.toFixed(2)} with seed ${seed}.`,
          ),
      ),
    inconclusive:
      invalid.length > 0
        ? [
            `No result: the controls of ${invalid.length} runs failed. The machine is too noisy, or the leak could not be added to the backend.`,
          ]
        : [],
    remarks: results.flatMap(hiddenIn),
  }
}

/** Where a leak as small as that of the control would not be detected. */
function hiddenIn({ backend, runs }) {
  const subjects = runs.flatMap(({ subjects }) => subjects)
  const leak = Math.min(
    ...subjects.filter(({ name }) => name === LEAK).map(({ difference }) => Math.abs(difference)),
  )
  const hidden = subjects.filter(({ control, seen }) => control === undefined && seen > leak)
  const names = new Set(hidden.map(({ name }) => name))
  if (names.size === 0) return []
  return [
    `${backend}: no result for ${[...names].join(', ')}: the leak of the control takes ${leak.toFixed(2)} ns, too little to detect there.`,
  ]
}
