// Changes the source in one place at a time, and looks for a test that fails.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from '@webhook-receiver/tools/table.mjs'
import { expectControl } from './control.mjs'
import { mutantsOf, sampleOf } from './mutants.mjs'
import { readOptions } from './options.mjs'
import { FAILED, FATES, fates, leftOut, row, score, survivors } from './report.mjs'
import { runTests } from './run.mjs'

const options = { ...readOptions(), root: join(import.meta.dirname, '../..') }
await expectControl(options)
const rows = []
const all = []
const notTried = []
const problems = []
for (const name of options.packages) {
  const started = performance.now()
  const { files, mutants } = await mutantsOf(name, options.parts, options.root)
  const drawn = sampleOf(mutants, options)
  console.error(`${name}: ${drawn.length} of ${mutants.length} mutants in ${files.size} files`)
  const entries = await runTests(name, files, drawn, options)
  const judged = fates(drawn, entries)
  console.error(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
  if (score(judged) < options.least) problems.push(`${name} is below ${options.least} %.`)
  rows.push(row(name, judged))
  all.push(...judged)
  notTried.push(...leftOut(entries))
}
const failed = notTried.filter((line) => line.includes(`: ${FAILED}`))
if (failed.length > 0) problems.push(`${failed.length} tests fail without a mutant.`)
console.log(survivors(all).join('\n'))
console.log(`\n${table(['package', 'mutants', ...FATES, 'score'], rows)}`)
console.log(
  `\nNode ${process.versions.node}; of the vectors every ${options.vectors}th${sampleNote(options)}`,
)
if (notTried.length > 0) {
  console.log(`\n${notTried.length} tests tried no mutants, or not all:\n${notTried.join('\n')}`)
}
if (problems.length > 0) console.log(`\n${problems.join('\n')}`)
if (options.json) writeFileSync(options.json, JSON.stringify(all, undefined, 1))
// What a mutant has left open does not keep this process.
process.exit(problems.length > 0 ? 1 : 0)

function sampleNote({ sample, seed }) {
  return sample === Number.POSITIVE_INFINITY ? '' : `; of the mutants ${sample}, seed ${seed}`
}
