// Compares the `path` option with the routers of every framework, by unsigned requests with random targets.
import { oneOrAll, readCommandLine, wholeNumber } from '@webhook-receiver/tools/command-line.mjs'
import { tick } from '@webhook-receiver/tools/table.mjs'
import { applications, isOfRoutes } from './paths/applications.mjs'
import { report } from './report.mjs'
import { inParallel, runChild } from './run-child.mjs'

const SUBJECTS = Object.keys(applications)

const USAGE = `npm run fuzz:paths -- [options]

Sends unsigned requests with random targets to applications that have a guard with a \`path\` in front of
every kind of route. No route may run.

  --targets N       requests to each application (100000)
  --subject NAME    one of the applications: ${SUBJECTS.join('; ')} (all)
  --parallel N      applications at the same time (2)
  --seed N          chooses the targets (1)
  --control N       requests to each application with a naive guard first: some have to get through (5000)

Exits with 1 if a route runs behind our guard, or if none runs behind the naive one.`

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
  head: ['', 'targets', 'answers', 'routes run', 'behind the naive guard', 'seconds'],
  rows: results.map(rowOf),
  run: `seed ${seed}`,
  problems: results.flatMap(problemsOf),
  success: 'No unsigned request reached a route.',
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
  // Nothing may be answered as if a route had run, either.
  const accepted = Object.keys(statuses).some((status) => status.startsWith('2'))
  // A parser has read the body of a request that was routed to an endpoint.
  const parsed = isOfRoutes(name) && statuses[500]
  return [
    ...(parsed
      ? [`${name}: ${parsed} requests reached an endpoint with a body that was read.`]
      : []),
    ...(ran > 0 || accepted
      ? [[`${name}: unsigned requests reached a route.`, ...reached].join('\n')]
      : []),
    ...(naive.ran === 0
      ? [
          `${name}: no request got past the naive guard, so the run proves nothing: use more targets.`,
        ]
      : []),
  ]
}
