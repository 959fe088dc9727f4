// Compares the `path` option with the routers of every framework, by unsigned requests with random targets.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { table, tick } from '@webhook-receiver/tools/table.mjs'
import { readOptions } from './paths/options.mjs'

const SUBJECT = join(import.meta.dirname, 'paths', 'subject.mjs')

const { subjects, targets, control, seed, parallel } = readOptions()
console.error(`${targets} targets for each of ${subjects.join('; ')}, seed ${seed} …`)

const waiting = [...subjects]
const found = new Map()
await Promise.all(Array.from({ length: parallel }, work))
report()

async function work() {
  for (let subject = waiting.shift(); subject; subject = waiting.shift()) {
    const started = performance.now()
    const controlled = await run(subject, control, 'control')
    const guarded = await run(subject, targets, 'guard')
    found.set(subject, { controlled, guarded, seconds: (performance.now() - started) / 1000 })
    console.error(`${subject}: ${guarded.targets} targets, ${guarded.ran} routes ran`)
  }
}

async function run(subject, count, guard) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [SUBJECT, subject, count, seed, guard].map(String),
  )
  return JSON.parse(stdout)
}

function report() {
  const rows = subjects.map((subject) => {
    const { controlled, guarded, seconds } = found.get(subject)
    const sound = isSound(guarded) && controlled.ran > 0
    return [
      `${tick(sound)} ${subject}`,
      String(guarded.targets),
      statusesOf(guarded),
      String(guarded.ran),
      `${controlled.ran} in ${controlled.targets}`,
      seconds.toFixed(0),
    ]
  })
  console.log(
    table(['', 'targets', 'answers', 'routes run', 'behind the naive guard', 'seconds'], rows),
  )
  console.log(`\nNode ${process.versions.node}, seed ${seed}`)
  for (const subject of subjects) explain(subject, found.get(subject))
}

function explain(subject, { controlled, guarded }) {
  if (!isSound(guarded)) {
    process.exitCode = 1
    console.log(`\n${subject}: unsigned requests reached a route.`)
    for (const [route, { count, target }] of Object.entries(guarded.routes)) {
      console.log(`  ${JSON.stringify(target)} reached ${route} (${count} targets did)`)
    }
  }
  if (controlled.ran === 0) {
    process.exitCode = 1
    console.log(
      `\n${subject}: nothing got past the naive guard. The run shows nothing; ask for more targets.`,
    )
  }
}

/** No route has run, and nothing was answered as if one had. */
function isSound({ ran, statuses }) {
  return ran === 0 && !Object.keys(statuses).some((status) => status.startsWith('2'))
}

function statusesOf({ statuses }) {
  return Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
}
