// Follows the first page of the documentation literally, as a new user does.
import { mkdir, symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { listOf, oneOf, readCommandLine } from '../command-line.mjs'
import { withPackedPackages } from '../packed/registry.mjs'
import { installRuntimes } from '../packed/runtimes/install.mjs'
import { terminalTable } from '../table.mjs'
import { follow } from './trials/follow.mjs'
import { FRAMEWORKS, trialsOf } from './trials/page.mjs'

const USAGE = `npm run prove -- start [options]

Does what docs/start.md says for each framework, in an empty folder, with the packed packages: installs, saves the server, starts
it, and sends it a valid delivery and a forged request. Takes the time.

  --only LIST   of ${FRAMEWORKS.join(', ')}; separated by commas (all)
KEEP=1 keeps the folder that everything is installed in.`

const NEWER_NODE = 'node24'

const { only } = readCommandLine(USAGE, { only: listOf(oneOf(FRAMEWORKS)) })
const trials = (only ?? FRAMEWORKS).flatMap(trialsOf)

await withPackedPackages(async ({ folder, registry }) => {
  const others = new Set(trials.flatMap(runtimesOf))
  const bins = await otherRuntimes(folder, [...others])
  const results = []
  // One after the other, because their times are measured.
  for (const [index, trial] of trials.entries()) {
    const path = [...runtimesOf(trial).map((id) => bins[id]), process.env.PATH]
    const env = { PATH: path.join(delimiter) }
    const own = join(folder, `trial-${index}`)
    await mkdir(own)
    const name = `${trial.framework}, ${trial.variation}`
    try {
      const seconds = await follow(trial, { folder: own, registry, env })
      results.push({ ...trial, seconds })
      console.error(`ok      ${name}`)
    } catch (error) {
      console.error(`FAILED  ${name}\n${error.message}\n`)
      process.exitCode = 1
    }
  }
  const rows = results.map(({ framework, variation, seconds }) => [
    `${framework}, ${variation}`,
    ...secondsOf(seconds).map((time) => time.padStart(6)),
  ])
  console.log(terminalTable(['framework', 'install', 'start', 'first delivery', 'sum'], rows))
  console.log(`\n${results.length} of ${trials.length} passed`)
})

/** The seconds of a trial, as cells: each step and the sum. */
function secondsOf({ install, start, delivery }) {
  return [install, start, delivery, install + start + delivery].map((time) => time.toFixed(1))
}

/** What a page takes for granted, beside the Node that this script runs on. */
function runtimesOf({ start, node }) {
  const named = ['bun', 'deno'].filter((id) => start.includes(` ${id} `))
  return node > Number.parseInt(process.versions.node, 10) ? [...named, NEWER_NODE] : named
}

/** A folder for each runtime, with its command in it. */
async function otherRuntimes(folder, ids) {
  const bins = {}
  const installed = ids.length > 0 ? await installRuntimes(join(folder, 'runtimes'), ids) : []
  for (const { id, kind, binary } of installed) {
    bins[id] = join(folder, 'bin', id)
    await mkdir(bins[id], { recursive: true })
    await symlink(binary, join(bins[id], kind))
  }
  return bins
}
