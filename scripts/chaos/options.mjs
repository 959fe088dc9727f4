import { parseArgs } from 'node:util'
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
Redis and PostgreSQL are at REDIS_URL and DATABASE_URL, else at their ports on this machine.`

/** @throws TypeError for an option that cannot be right. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      store: { type: 'string', default: 'all' },
      adapter: { type: 'string', default: 'node' },
      deliveries: { type: 'string' },
      kills: { type: 'string' },
      'no-kills': { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
      copies: { type: 'boolean', default: false },
      receivers: { type: 'string' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(USAGE)
    process.exit()
  }
  const { copies, long } = values
  const stores = copies ? [...STORES, ONE_PROCESS] : STORES
  const adapters = copies ? ADAPTERS : []
  const whole = (name, fallback) => wholeNumber(name, values[name], fallback)
  return {
    stores: named('store', values.store, stores, [...stores, CONTROL]),
    adapters: named('adapter', values.adapter, adapters, ADAPTERS),
    copies,
    receivers: values.receivers === undefined ? [1, 2] : [whole('receivers')],
    deliveries: whole('deliveries', long ? 100_000 : copies ? 1000 : 10_000),
    kills: values['no-kills'] ? 0 : whole('kills', long ? 500 : Number.POSITIVE_INFINITY),
    seed: whole('seed', 1),
  }
}

/** Whether so many processes may use a store. */
export function mayServe(store, receivers) {
  return receivers === 1 || store !== ONE_PROCESS
}

function named(name, value, all, known) {
  if (value === 'all' && all.length > 0) return all
  if (known.includes(value)) return [value]
  throw new TypeError(`There is no ${name} ${JSON.stringify(value)} here.\n${USAGE}`)
}

function wholeNumber(name, text, fallback) {
  if (text === undefined) return fallback
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new TypeError(`--${name} should be a whole number; got ${JSON.stringify(text)}.\n${USAGE}`)
}
