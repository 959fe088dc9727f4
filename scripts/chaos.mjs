// Kills a receiver again and again while it handles deliveries, and counts what was lost and what happened twice.
import { cleaningUp } from './chaos/cleanup.mjs'
import { HEAD as COPIES_HEAD, runCopies } from './chaos/copies.mjs'
import { HEAD as KILLS_HEAD, runKills } from './chaos/kills.mjs'
import { mayServe, readOptions } from './chaos/options.mjs'
import { report } from './chaos/report.mjs'

const { stores, adapters, copies, receivers, ...options } = readOptions()
const results = []
for (const run of runs()) {
  const result = await cleaningUp(run)
  console.error(result.row.join('  '))
  results.push(result)
}
if (results.length === 0) throw new TypeError('These options leave nothing to run.')
report(copies ? COPIES_HEAD : KILLS_HEAD, results, `seed ${options.seed}`)

function* runs() {
  for (const store of stores) {
    for (const adapter of adapters) {
      if (!copies) yield (made) => runKills(store, { ...options, adapter }, made)
      else {
        for (const count of receivers.filter((number) => mayServe(store, number))) {
          yield (made) => runCopies(store, { ...options, adapter, receivers: count }, made)
        }
      }
    }
  }
}
