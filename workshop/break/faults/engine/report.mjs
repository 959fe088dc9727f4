/** The most violations that are printed. */
const SHOWN = 10

/** Prints the figures of all runs. The process exits with 1 unless every run was made and kept every promise. */
export function report({ results, skipped }, note) {
  const violations = results.flatMap((result) => result.violations)
  if (results.length > 0) {
    console.table(results.map(({ figures }) => figures))
    console.log(`\nNode ${process.versions.node}, ${note}`)
  }
  print('Skipped', skipped)
  print('Violations', violations)
  if (results.length === 0) console.log('\nNothing was tried.')
  else if (violations.length === 0) {
    console.log(`\nEvery promise was kept${skipped.length > 0 ? ' in the runs above' : ''}.`)
  }
  if (results.length === 0 || skipped.length > 0 || violations.length > 0) process.exitCode = 1
}

function print(title, lines) {
  if (lines.length === 0) return
  console.log(`\n${title}: ${lines.length}`)
  for (const line of lines.slice(0, SHOWN)) console.log(`  ${line}`)
}
