import { mkdtempSync, rmSync } from 'node:fs'

/** Something that a run needs is missing. The message says what, and what to do. */
export class Unavailable extends Error {}

/** Calls `work` with each run in turn. Gives the results, and a line for each run that was skipped. */
export async function runAll(runs, work) {
  const results = []
  const skipped = []
  for (const run of runs) {
    try {
      results.push(await withCleanup((onEnd) => work(run, onEnd)))
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      skipped.push(`${run.name}: ${error.message}`)
    }
  }
  return { results, skipped }
}

/**
 * Calls `work` with a function that takes what is to be done at the end. That is done last first, however the work
 * ends, also after Ctrl-C.
 */
export async function withCleanup(work) {
  const pending = []
  const cleanUp = async () => {
    for (const task of pending.splice(0).reverse()) {
      try {
        await task()
      } catch (error) {
        // The others are still to be done.
        console.error('The clean-up failed:', error)
        process.exitCode = 1
      }
    }
  }
  const interrupt = (signal) => {
    console.error(`${signal}: cleaning up …`)
    cleanUp().finally(() => process.exit(1))
  }
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    return await work((task) => pending.push(task))
  } finally {
    await cleanUp()
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

/**
 * A new folder whose path begins so, which is removed at the end.
 *
 * @param {string} prefix
 * @param {(task: () => void) => unknown} onEnd
 */
export function temporaryFolder(prefix, onEnd) {
  const folder = mkdtempSync(prefix)
  onEnd(() => rmSync(folder, { recursive: true }))
  return folder
}
