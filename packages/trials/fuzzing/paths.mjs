// Sends forged requests with random targets to the receiver in every mount of every framework: no handler behind it may run.
import { oneOrAll, readCommandLine, wholeNumber } from '@webhook-receiver/checks/command-line.mjs'
import { tick } from '@webhook-receiver/checks/table.mjs'
import { applications } from './paths/applications.mjs'
import { report } from './report.mjs'
import { inParallel, runChild } from './run-child.mjs'

const SUBJECTS = Object.keys(applications)

const USAGE = `npm run fuzz:paths -- [options]

Sends forged requests with random targets to applications with the receiver in every kind of mount. No handler behind
it may run.

  --targets N       requests to each application (100000)
  --subject NAME    one of the applications: ${SUBJECTS.join('; ')} (all)
  --parallel N      applications at the same time (2)
  --seed N          chooses the targets (1)
  --control N       requests to each application without a receiver first: some have to reach a handler (5000)

Exits with 1 if a handler runs behind the receiver, or if none runs without it.`

const { subject, targets, control, seed, parallel } = readCommandLine(USAGE, {
  targets: wholeNumber(100_000),
  subject: oneOrAll(SUBJECTS),
  parallel: wholeNumber(2),
  seed: wholeNumber(1),
  control: wholeNumber(5_000),
})
console.error(`${targets} targets for each of ${subject.join('; ')}, seed ${seed} …`)
const results = await inParallel(subject, parallel, fuzzApplication)
report({
  head: ['', 'targets', 'statuses', 'routes run', 'without a receiver', 'seconds'],
  rows: results.map(rowOf),
  run: `seed ${seed}`,
  problems: results.flatMap(problemsOf),
  success: 'No forged request reached a handler.',
})

async function fuzzApplication(name) {
  const started = performance.now()
  const naive = await send(name, control, false)
  const guarded = await send(name, targets, true)
  console.error(`${name}: ${guarded.targets} targets, ${guarded.ran} routes ran`)
  return { name, naive, guarded, seconds: (performance.now() - started) / 1000 }
}

async function send(name, count, guarded) {
  let result
  const url = new URL('./paths/process.mjs', import.meta.url)
  await runChild(url, { name, targets: count, seed, guarded }, (message) => {
    result = message
  })
  return result
}

function rowOf(result) {
  const { name, naive, guarded, seconds } = result
  return [
    `${tick(problemsOf(result).length === 0)} ${name}`,
    String(guarded.targets),
    Object.entries(guarded.statuses)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', '),
    String(guarded.ran),
    `${naive.ran} in ${naive.targets}`,
    seconds.toFixed(0),
  ]
}

function problemsOf({ name, naive, guarded: { ran, statuses, routes } }) {
  const reached = Object.entries(routes).map(
    ([route, { count, target }]) =>
      `  ${JSON.stringify(target)} reached ${route} (${count} targets did)`,
  )
  // No status may say that a handler has run, either; and no parser may have read the body before the receiver.
  const accepted = Object.keys(statuses).filter((status) => /^2|^500/.test(status))
  return [
    ...(ran > 0 ? [[`${name}: forged requests reached a handler.`, ...reached].join('\n')] : []),
    ...(accepted.length > 0 ? [`${name}: forged requests got status ${accepted.join(', ')}.`] : []),
    ...(naive.ran === 0
      ? [
          `${name}: no request reached a handler without a receiver, so the run proves nothing: use more targets.`,
        ]
      : []),
  ]
}
