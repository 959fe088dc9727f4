// Stops the server of a store under load and starts it again, and counts what was lost and what happened twice.
import { oneOrAll, readCommandLine, wholeNumber } from '@webhook-receiver/checks/command-line.mjs'
import { runAll } from '@webhook-receiver/checks/runs.mjs'
import { SERVER_STORES } from './engine/environment.mjs'
import { report } from './engine/report.mjs'
import { CONTROL, runOutages } from './scenarios/outages.mjs'

const USAGE = `npm run break -- outage [options]
  --store NAME   ${SERVER_STORES.join(', ')} or all (all);
                 ${CONTROL}: a Redis without persistence, a control that handles deliveries again
  --rounds N     how often the server is stopped and started again, every second time by SIGKILL (4)
  --down N       how long it stays away each time, in seconds (3)
  --lease N      the lease of the handler, in seconds (2, which is over before the server is back; then 10)
  --rate N       new deliveries a second (30)
  --seed N       of every decision; the timing is the machine's (1)
It starts servers of its own: redis-server and postgres have to be installed. Exits with 1 where a promise was
broken, or where one of them is missing.`

const { store, lease, ...options } = readCommandLine(USAGE, {
  store: oneOrAll(SERVER_STORES, [CONTROL]),
  rounds: wholeNumber(4),
  down: wholeNumber(3),
  lease: wholeNumber(),
  rate: wholeNumber(30),
  seed: wholeNumber(1),
})

const leases = lease === undefined ? [2, 10] : [lease]
const runs = store.flatMap((name) =>
  // A transaction has no lease.
  name === 'postgres-transactional'
    ? { ...options, store: name, name, lease: leases[0] }
    : leases.map((seconds) => ({
        ...options,
        store: name,
        name: `${name}, lease of ${seconds} s`,
        lease: seconds,
      })),
)
const tried = await runAll(runs, runOutages)
const versions = [...new Set(tried.results.map(({ version }) => version))]
report(tried, [...versions, `seed ${options.seed}`].join(', '))
