import { join } from 'node:path'
import { flag, readCommandLine, text, usageError } from '../command-line.mjs'
import { conclude, pairwise, step } from '../step.mjs'
import { install } from './install.mjs'
import { withPackedPackages } from './registry.mjs'

/**
 * What the rows of a run share: a folder, the registry, and what is installed or compiled once for several of them.
 *
 * @typedef {ReturnType<typeof createContext>} Context
 *
 * @typedef {object} Row
 * @property {string} name
 * @property {boolean} [short] whether every change has to pass it
 * @property {(context: Context) => Promise<{ saw?: string, problems: string[], notes?: string[] }>} run `notes` are printed above
 * the results
 */

/**
 * Runs the rows that the command line chooses, two at a time.
 *
 * @param {string} name
 * @param {readonly Row[]} all
 */
export async function tryRows(name, all) {
  const rowsOf = all.map((row) => (row.short ? `${row.name} (short)` : row.name)).join('\n  ')
  const { short, only = '' } = readCommandLine(
    name,
    `KEEP=1 keeps the folder that everything is installed in. The rows:\n  ${rowsOf}`,
    {
      short: flag('what every change has to pass'),
      only: text('the rows that have it in their name'),
    },
  )
  const rows = all.filter((row) => row.name.includes(only) && (row.short || !short))
  if (rows.length === 0) usageError(`No row has ${only} in its name.`)

  await withPackedPackages(async (packed) => {
    const context = createContext(packed)
    const results = await pairwise(rows, (row) => tryRow(row, context))
    for (const { name, notes = [] } of results) {
      for (const note of notes) console.log(`${name}: ${note}`)
    }
    conclude(results)
  })
}

/** What is installed for several rows counts for the first of them. */
async function tryRow({ name, run }, context) {
  const found = await step(name, () => run(context).catch((error) => ({ problems: [error.stack] })))
  return { name, ...found }
}

function createContext({ folder, registry }) {
  const made = new Map()
  const once = (name, make) => {
    if (!made.has(name)) made.set(name, make())
    return made.get(name)
  }
  return {
    registry,
    once,
    /** The path of a folder that was installed, and prepared by `prepare`, once. */
    installed(name, dependencies, { prepare, ...options } = {}) {
      return once(name, async () => {
        const where = join(folder, name)
        await install(where, dependencies, { registry, manager: 'pnpm', ...options })
        await prepare?.(where)
        return where
      })
    },
    /** A folder of this run, for what is installed otherwise. */
    path: (name) => join(folder, name),
  }
}
