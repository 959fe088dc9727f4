import { table } from '../demo/table.mjs'

/** The most broken promises that are printed. */
const SHOWN = 10

/** Prints the figures of all runs, and which promises were broken: with one, the process exits with 1. */
export function report(head, results, note) {
  console.log(
    table(
      head,
      results.map(({ row }) => row),
    ),
  )
  const broken = results.flatMap((result) => result.broken)
  console.log(`\nNode ${process.versions.node}, ${note}`)
  if (broken.length === 0) {
    console.log('Every promise was kept.')
    return
  }
  process.exitCode = 1
  console.log(`\nBroken promises: ${broken.length}`)
  for (const line of broken.slice(0, SHOWN)) console.log(`  ${line}`)
}
