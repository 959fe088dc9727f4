import { parseArgs } from 'node:util'
import { STORES } from '../chaos/grounds.mjs'

/** A Redis that keeps nothing on disk: asked for by name, it has to fail. */
export const CONTROL = 'redis-forgets'

const USAGE = `npm run outage -- [options]
  --store NAME   ${STORES.join(', ')} or all (all);
                 ${CONTROL}: a Redis without persistence, a control that handles deliveries again
  --rounds N     how often the server is stopped and started again, every second time by SIGKILL (4)
  --down N       how long it stays away each time, in seconds (3)
  --lease N      the lease of the handler, in seconds (2, which is over before the server is back; then 10)
  --rate N       new deliveries a second (30)
  --seed N       of every decision; the timing is the machine's (1)
It starts servers of its own: redis-server and postgres have to be installed. Where one is not, it is left out, or
with CI=true it is a failure.`

/** @throws TypeError for an option that cannot be right. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      store: { type: 'string', default: 'all' },
      rounds: { type: 'string', default: '4' },
      down: { type: 'string', default: '3' },
      lease: { type: 'string' },
      rate: { type: 'string', default: '30' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(USAGE)
    process.exit()
  }
  if (!['all', CONTROL, ...STORES].includes(values.store)) {
    throw new TypeError(`There is no store ${JSON.stringify(values.store)}.\n${USAGE}`)
  }
  const counted = (name) => {
    if (/^[1-9]\d{0,8}$/.test(values[name])) return Number(values[name])
    throw new TypeError(
      `--${name} should be a whole number from 1; got ${JSON.stringify(values[name])}.\n${USAGE}`,
    )
  }
  return {
    stores: values.store === 'all' ? STORES : [values.store],
    leases: values.lease === undefined ? [2, 10] : [counted('lease')],
    rounds: counted('rounds'),
    down: counted('down'),
    rate: counted('rate'),
    seed: counted('seed'),
  }
}
