// Changes the source in one place at a time and looks for a test that fails.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalTable } from '@webhook-receiver/checks/table.mjs'
import { checkControl } from './control.mjs'
import { readOptions } from './options.mjs'
import { HEAD, row, score, survivors } from './report.mjs'
import { runStryker } from './stryker.mjs'

const options = readOptions()
// Stryker works in the current folder.
process.chdir(join(import.meta.dirname, '../../..'))
await checkControl(options)
const results = {}
for (const name of options.packages) {
  const started = performance.now()
  console.error(`${name} …`)
  results[name] = await runStryker(`packages/${name}`, options)
  console.error(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
  // At once: the next package may take hours.
  console.log(survivors(results[name]).join('\n'))
  if (options.json) writeFileSync(options.json, JSON.stringify(results, undefined, 1))
}
const entries = Object.entries(results)
console.log(
  `\n${terminalTable(
    HEAD,
    entries.map(([name, mutants]) => row(name, mutants)),
  )}`,
)
console.log(
  `\nNode ${process.versions.node}${options.sample ? `; ${options.sample} mutants of each package, seed ${options.seed}` : ''}`,
)
for (const [name, mutants] of entries) {
  if (score(mutants) >= options.least) continue
  process.exitCode = 1
  console.log(`${name} is below ${options.least} %.`)
}
