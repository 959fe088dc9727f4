// Times the verification of digests that begin right against those that begin wrong: a dudect-style test.
import { readOptions } from './timing/options.mjs'
import { report } from './timing/report.mjs'
import { runUntilSteady } from './timing/runs.mjs'

const options = readOptions()
const results = []
for (const backend of options.backends) {
  const runs = []
  for (let run = 0; run < options.runs; run++) {
    runs.push(await runUntilSteady(backend, options, options.seed + 100 * run))
  }
  results.push({ backend, runs })
}
report(results, options)
