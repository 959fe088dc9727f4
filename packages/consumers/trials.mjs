// Follows the Start pages of the documentation literally, as a new user does.
import { mkdir, symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { flag, listOf, oneOf, readCommandLine } from '@webhook-receiver/tools/command-line.mjs'
import { terminalTable } from '@webhook-receiver/tools/table.mjs'
import { withPackedPackages } from './registry.mjs'
import { installRuntimes } from './runtimes/install.mjs'
import { secondsOf, writeEvidence, writePages } from './trials/evidence.mjs'
import { follow } from './trials/follow.mjs'
import { PAGES, trialsOf } from './trials/page.mjs'

const USAGE = `npm run trials -- [options]

Does what each page of docs/start says, in an empty folder, with the packed packages: installs, saves the server, starts it, and
sends it a genuine and a forged delivery. Takes the time.

  --only LIST   of ${PAGES.join(', ')}; separated by commas (all)
  --write       puts the results into docs/evidence/start-trials.md; with --only, in place of those of these pages
KEEP=1 keeps the folder that everything is installed in.`

const NEWER_NODE = 'node24'

const { only, write } = readCommandLine(USAGE, { only: listOf(oneOf(PAGES)), write: flag() })
const trials = (only ?? PAGES).flatMap(trialsOf)

await withPackedPackages(async ({ folder, registry }) => {
  const others = new Set(trials.flatMap(runtimesOf))
  const bins = await otherRuntimes(folder, [...others])
  const results = []
  // One after the other, because their times are written down.
  for (const [index, trial] of trials.entries()) {
    const path = [...runtimesOf(trial).map((id) => bins[id]), process.env.PATH]
    const env = { PATH: path.join(delimiter) }
    const own = join(folder, `trial-${index}`)
    await mkdir(own)
    const name = `${trial.title}, ${trial.variation}`
    try {
      const seconds = await follow(trial, { folder: own, registry, env })
      results.push({ ...trial, seconds })
      console.error(`ok      ${name}`)
    } catch (error) {
      console.error(`FAILED  ${name}\n${error.message}\n`)
      process.exitCode = 1
    }
  }
  const rows = results.map(({ title, variation, seconds }) => [
    `${title}, ${variation}`,
    ...secondsOf(seconds).map((time) => time.padStart(6)),
  ])
  console.log(terminalTable(['page', 'install', 'start', 'first delivery', 'sum'], rows))
  console.log(`\n${results.length} of ${trials.length} passed`)
  if (write && results.length === trials.length) {
    await (only ? writePages : writeEvidence)(results)
  }
})

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
