import { table } from '@webhook-receiver/tools/table.mjs'

/** The most broken promises that are printed. */
const SHOWN = 10

/**
 * Prints the figures of all runs, what was not tried, and which promises were broken. The process exits with 1
 * unless every promise was tried and kept.
 */
export function report(head, { results, leftOut }, note) {
  const broken = results.flatMap((result) => result.broken)
  if (results.length > 0) {
    console.log(
      table(
        head,
        results.map(({ row }) => row),
      ),
    )
    console.log(`\nNode ${process.versions.node}, ${note}`)
  }
  if (leftOut.length > 0) console.log(`\nNot tried:\n${lines(leftOut)}`)
  if (broken.length > 0) {
    console.log(`\nBroken promises: ${broken.length}\n${lines(broken.slice(0, SHOWN))}`)
  }
  if (results.length === 0) {
    console.log(
      `\nNothing was tried${leftOut.length > 0 ? '' : ': these options leave nothing to run'}.`,
    )
  } else if (broken.length === 0) console.log(leftOut.length > 0 ? KEPT_AS_FAR : KEPT)
  if (results.length === 0 || leftOut.length > 0 || broken.length > 0) process.exitCode = 1
}

const KEPT = 'Every promise was kept.'
const KEPT_AS_FAR = '\nEvery promise was kept in the runs above; the others were not tried.'

function lines(texts) {
  return texts.map((text) => `  ${text}`).join('\n')
}
