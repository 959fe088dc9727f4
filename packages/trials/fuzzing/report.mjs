import { cpus } from 'node:os'
import { terminalTable } from '@webhook-receiver/checks/table.mjs'

/**
 * Prints the table of a run, what it ran with, and the problems; with a problem the process ends with 1.
 *
 * @param {object} result
 * @param {string[]} result.head
 * @param {(string | string[])[]} result.rows
 * @param {string} result.run the seed, and what else belongs to this run
 * @param {string[]} result.problems
 * @param {string} result.success printed if there is no problem
 */
export function report({ head, rows, run, problems, success }) {
  console.log(terminalTable(head, rows))
  console.log(`\nNode ${process.versions.node}, ${cpus()[0]?.model ?? 'unknown CPU'}, ${run}`)
  if (problems.length > 0) process.exitCode = 1
  console.log(problems.length > 0 ? `\n${problems.join('\n\n')}` : success)
}
