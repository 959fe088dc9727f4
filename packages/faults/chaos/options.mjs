import {
  flag,
  oneOf,
  readCommandLine,
  refuse,
  wholeNumber,
} from '@webhook-receiver/tools/command-line.mjs'
import { STORES } from './grounds.mjs'
import { ADAPTERS } from './servers.mjs'

/** A store that is wrong on purpose: asked for by name, it has to fail. */
const CONTROL = 'naive'

/** A store that dies with its process, so that only the copies can show anything. */
const ONE_PROCESS = 'memory'

const USAGE = `npm run chaos -- [options]
  --store NAME      ${STORES.join(', ')} or all (all);
                    ${ONE_PROCESS}, with --copies; ${CONTROL}: SET NX before the work, a control that loses deliveries
  --adapter NAME    what the receiver is built on: ${ADAPTERS.join(', ')} or, with --copies, all (node)
  --deliveries N    how many (10000)
  --kills N         so many kills, spread over the run (a kill every 150 to 500 ms, to the end)
  --no-kills        the receiver is left alive
  --long            100000 deliveries and 500 kills
  --copies          instead: 20 copies at once of each of 1000 deliveries, to one receiver and to two
  --receivers N     with --copies, only to so many
  --seed N          of every decision; the timing is the machine's (1)
Redis and PostgreSQL are at REDIS_URL and DATABASE_URL, else at their ports on this machine. Exits with 1 where a
promise was broken, or where one of them does not answer.`

export function readOptions() {
  const { store, adapter, long, copies, ...given } = readCommandLine(USAGE, {
    store: oneOf([...STORES, ONE_PROCESS, CONTROL, 'all'], 'all'),
    adapter: oneOf([...ADAPTERS, 'all'], 'node'),
    deliveries: wholeNumber(undefined, { least: 0 }),
    kills: wholeNumber(undefined, { least: 0 }),
    'no-kills': flag(),
    long: flag(),
    copies: flag(),
    receivers: wholeNumber(undefined, { least: 0 }),
    seed: wholeNumber(1, { least: 0 }),
  })
  if (!copies && (store === ONE_PROCESS || adapter === 'all')) {
    refuse(`--store ${ONE_PROCESS} and --adapter all need --copies.`, USAGE)
  }
  const stores = copies ? [...STORES, ONE_PROCESS] : STORES
  return {
    stores: store === 'all' ? stores : [store],
    adapters: adapter === 'all' ? ADAPTERS : [adapter],
    copies,
    receivers: given.receivers === undefined ? [1, 2] : [given.receivers],
    deliveries: given.deliveries ?? (long ? 100_000 : copies ? 1000 : 10_000),
    kills: given['no-kills'] ? 0 : (given.kills ?? (long ? 500 : Number.POSITIVE_INFINITY)),
    seed: given.seed,
  }
}

/** Whether so many processes may use a store. */
export function mayServe(store, receivers) {
  return receivers === 1 || store !== ONE_PROCESS
}
