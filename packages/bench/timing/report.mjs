import { cpus } from 'node:os'
import { table } from '@webhook-receiver/tools/table.mjs'
import { isSteady } from './runs.mjs'
import { LEAK } from './subjects.mjs'
import { LIMIT } from './welch.mjs'

/** Prints a t for each run, and the verdict: 1 is the exit code of a leak, 2 that of nothing proved. */
export function report(results, { runs, samples, seed, obvious }) {
  const head = [
    'backend',
    'what',
    ...Array.from({ length: runs }, (_, run) => `t of run ${run + 1}`),
  ]
  const rows = results.flatMap((result) => rowsOf(result))
  console.log(table([...head, 'difference', 'would be seen from'], rows))
  console.log(
    `\nNode ${process.versions.node}, ${cpus()[0]?.model ?? 'unknown CPU'}, ${samples} samples, seed ${seed}`,
  )
  for (const { backend, runs } of results) {
    const loads = runs.map(({ load }) => load).join(', ')
    const discarded = runs.reduce((sum, run) => sum + run.discarded, 0)
    console.log(
      `${backend}: load ${loads}; runs that proved nothing and were made again: ${discarded}`,
    )
  }
  if (obvious)
    return console.log('Classes as they should not be chosen: this says nothing of the code.')
  for (const result of results) tellUnseen(result)
  conclude(results.flatMap(({ backend, runs }) => runs.map((run) => ({ backend, ...run }))))
}

function rowsOf({ backend, runs }) {
  return runs[0].subjects.map(({ name }, index) => {
    const own = runs.map(({ subjects }) => subjects[index])
    const largest = own.toSorted((a, b) => Math.abs(b.difference) - Math.abs(a.difference))[0]
    return [
      backend,
      name,
      ...own.map(({ t }) => t.toFixed(2)),
      `${largest.difference.toFixed(2)} ns`,
      `${Math.max(...own.map(({ seen }) => seen)).toFixed(2)} ns`,
    ]
  })
}

/** Says where a leak such as that of the control would stay hidden in the noise of these runs. */
function tellUnseen({ backend, runs }) {
  const subjects = runs.flatMap(({ subjects }) => subjects)
  const leaks = subjects.filter(({ name }) => name === LEAK).map(({ difference }) => difference)
  const leak = Math.min(...leaks.map(Math.abs))
  const hidden = new Set(
    subjects.filter(({ control, seen }) => control === undefined && seen > leak).map(named),
  )
  if (hidden.size > 0) {
    console.log(
      `${backend}: not shown for ${[...hidden].join(', ')}: the leak of the control makes ${leak.toFixed(2)} ns, less than would be seen there.`,
    )
  }
}

function named({ name }) {
  return name
}

function conclude(runs) {
  const unsteady = runs.filter((run) => !isSteady(run))
  const leaks = runs
    .filter(isSteady)
    .flatMap(({ backend, seed, subjects }) =>
      subjects
        .filter(({ control, t }) => control === undefined && Math.abs(t) >= LIMIT)
        .map(({ name, t }) => `${backend}, ${name}: t = ${t.toFixed(2)} with seed ${seed}`),
    )
  if (leaks.length > 0) {
    process.exitCode = 1
    console.log(`The time tells how much of a digest is right:\n  ${leaks.join('\n  ')}`)
  } else if (unsteady.length > 0) {
    process.exitCode = 2
    console.log(
      `Nothing is proved: the controls of ${unsteady.length} runs are not where they belong. The machine is too noisy, or no leak could be put into the backend.`,
    )
  } else console.log(`Every |t| is below ${LIMIT}, and the controls with a leak are beyond.`)
}
