// Stops the server of a store under load and starts it again, and counts what was lost and what happened twice.
import { cleaningUp } from './chaos/cleanup.mjs'
import { report } from './chaos/report.mjs'
import { readOptions } from './outage/options.mjs'
import { runOutages } from './outage/outages.mjs'
import { MissingProgram } from './outage/servers.mjs'
import { HEAD } from './outage/verdict.mjs'

const { stores, leases, ...options } = readOptions()
const results = []
for (const store of stores) {
  for (const lease of leasesOf(store)) {
    try {
      const result = await cleaningUp((made) => runOutages(store, { ...options, lease }, made))
      console.error(result.row.join('  '))
      results.push(result)
    } catch (error) {
      if (!(error instanceof MissingProgram) || process.env.CI) throw error
      console.log(`${store} was left out: ${error.message}`)
    }
  }
}
const versions = [...new Set(results.map(({ version }) => version))]
report(HEAD, results, [...versions, `seed ${options.seed}`].join(', '))

/** A transaction has no lease, so one run shows it all. */
function leasesOf(store) {
  return store === 'postgres-transactional' ? leases.slice(0, 1) : leases
}
