// Applications that install the packed packages as a user does, out of reach of this workspace. Each receives a valid delivery
// and a forged one.
import { flag, readCommandLine, text, usageError } from '../command-line.mjs'
import { pairwise } from '../step.mjs'
import { terminalTable } from '../table.mjs'
import { createContext } from './context.mjs'
import { withPackedPackages } from './registry.mjs'
import { bundleRows, workerRow } from './rows/bundles.mjs'
import { compilerRows } from './rows/compilers.mjs'
import { entryRows } from './rows/entries.mjs'
import { frameworkRows, nodeRows, testRows } from './rows/frameworks.mjs'
import { managerRows } from './rows/managers.mjs'
import { nestRows } from './rows/nest.mjs'
import { testRunnerRows } from './rows/test-runners.mjs'

const USAGE = `npm run prove -- consumers [options]
  --short       what every change has to pass, in about a minute
  --only TEXT   the rows that have it in their name
KEEP=1 keeps the folder that everything is installed in.`

const ROWS = [
  ...entryRows,
  ...managerRows,
  ...frameworkRows,
  ...testRows,
  ...compilerRows,
  ...testRunnerRows,
  ...bundleRows,
  workerRow,
  ...nestRows,
  ...nodeRows,
]

const { short, only = '' } = readCommandLine(USAGE, { short: flag(), only: text() })
const rows = ROWS.filter(({ name, short: isShort }) => name.includes(only) && (isShort || !short))
if (rows.length === 0)
  usageError(`The rows are:\n${ROWS.map(({ name }) => name).join('\n')}`, USAGE)

await withPackedPackages(async (packed) => {
  const context = createContext(packed)
  const results = await pairwise(rows, (row) => tryRow(row, context))
  console.log(terminalTable(['what', 'versions', 'result', 'seconds'], results.map(lineOf)))
  const failed = results.filter(({ problems }) => problems.length > 0)
  for (const { name, problems } of failed) console.error(`\n${name}\n${problems.join('\n')}`)
  console.log(`\n${results.length - failed.length} of ${results.length} passed`)
  if (failed.length > 0) process.exitCode = 1
})

/** What is installed for several rows counts for the first of them. */
async function tryRow({ name, run }, context) {
  const started = performance.now()
  const found = await run(context).catch((error) => ({ problems: [error.stack] }))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.error(`${seconds.padStart(6)} s  ${name}${found.problems.length > 0 ? ': FAILED' : ''}`)
  return { name, versions: '', saw: '', seconds, ...found }
}

function lineOf({ name, versions, saw, seconds, problems }) {
  return [name, versions, problems.length > 0 ? 'FAILED' : `ok: ${saw}`, seconds.padStart(7)]
}
