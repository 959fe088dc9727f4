// Stops the server of a store under load and starts it again, and counts what was lost and what happened twice.
import { cleaningUp } from '@webhook-receiver/tools/cleanup.mjs'
import { tryEach } from '@webhook-receiver/tools/not-tried.mjs'
import { report } from './chaos/report.mjs'
import { readOptions } from './outage/options.mjs'
import { runOutages } from './outage/outages.mjs'
import { HEAD } from './outage/verdict.mjs'

const { stores, leases, ...options } = readOptions()
const tried = await tryEach(runs())
const versions = [...new Set(tried.results.map(({ version }) => version))]
report(HEAD, tried, [...versions, `seed ${options.seed}`].join(', '))

function* runs() {
  for (const store of stores) {
    for (const lease of leasesOf(store)) {
      const work = (made) => runOutages(store, { ...options, lease }, made)
      yield [
        isTransactional(store) ? store : `${store}, lease of ${lease} s`,
        () => cleaningUp(work),
      ]
    }
  }
}

/** A transaction has no lease, so one run shows it all. */
function leasesOf(store) {
  return isTransactional(store) ? leases.slice(0, 1) : leases
}

function isTransactional(store) {
  return store === 'postgres-transactional'
}
