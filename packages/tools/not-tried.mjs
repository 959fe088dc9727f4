/** Something that a run needs is missing. The message says what, and what to do. */
export class NotTried extends Error {}

/**
 * Runs each of the named runs and gives the results of those that could be tried. `leftOut` has a line for each
 * of the others.
 *
 * @throws what a run throws that is no `NotTried`
 */
export async function tryEach(runs) {
  const results = []
  const leftOut = []
  for (const [name, run] of runs) {
    try {
      const result = await run()
      console.error(result.row.join('  '))
      results.push(result)
    } catch (error) {
      if (!(error instanceof NotTried)) throw error
      leftOut.push(`${name}: ${error.message}`)
    }
  }
  return { results, leftOut }
}
