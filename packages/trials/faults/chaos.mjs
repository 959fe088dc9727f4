// Kills a receiver again and again while it handles deliveries, or sends copies at once, and counts what was lost and
// what happened twice.

import {
  flag,
  oneOrAll,
  readCommandLine,
  usageError,
  wholeNumber,
} from '@webhook-receiver/checks/command-line.mjs'
import { runAll } from '@webhook-receiver/checks/runs.mjs'
import { ADAPTERS } from '../applications.mjs'
import { STORES } from './engine/environment.mjs'
import { report } from './engine/report.mjs'
import { INBOXES } from './inbox/inboxes.mjs'
import { runCopies } from './scenarios/copies.mjs'
import { runInboxes } from './scenarios/inboxes.mjs'
import { runKills } from './scenarios/kills.mjs'

/** A store that is wrong: as a control, it has to fail. */
const CONTROL = 'naive'

/** A store that ends with its process. */
const MEMORY = 'memory'

/** Long enough for each of its faults to show. */
const CONTROL_RUN = { deliveries: 2000, conversations: 50, poison: 0, kills: 20 }

const USAGE = `npm run break -- chaos [options]
  --store NAME      ${STORES.join(', ')} or all (all);
                    ${MEMORY}, with --copies; ${CONTROL}: SET NX before the work, a control that loses deliveries
  --adapter NAME    what the receiver is built on: ${ADAPTERS.join(', ')} or all (node)
  --deliveries N    how many (10000; with --copies 1000)
  --kills N         so many kills, spread over the run; 0 for none (a kill every 150 to 500 ms, to the end)
  --inbox NAME      instead: the examples with a queue and a worker, on servers of their own, and a control for each:
                    ${Object.keys(INBOXES).join(', ')} or all
  --conversations N with --inbox (200)
  --poison N        with --inbox: deliveries that fail until they are redriven (20)
  --copies          instead: 20 copies at once of each delivery, to one receiver and to two
  --seed N          of every decision; the timing is the machine's (1)
Redis and PostgreSQL are at REDIS_URL and DATABASE_URL, else at their ports on this machine. SQLite is node:sqlite, or
libsql where Node has none. DynamoDB is dynalite, which each run starts. Exits with 1 where a promise was broken, or
where one of them does not respond.`

const options = readCommandLine(USAGE, {
  store: oneOrAll(STORES, [MEMORY, CONTROL]),
  adapter: { ...oneOrAll(ADAPTERS), fallback: ['node'] },
  deliveries: wholeNumber(),
  kills: wholeNumber(Number.POSITIVE_INFINITY, { least: 0 }),
  inbox: { ...oneOrAll(Object.keys(INBOXES)), fallback: undefined },
  conversations: wholeNumber(200),
  poison: wholeNumber(20, { least: 0 }),
  copies: flag(),
  seed: wholeNumber(1, { least: 0 }),
})
const { copies, kills, seed, deliveries = copies ? 1000 : 10_000 } = options
if (options.inbox) await tryInboxes()
else await tryStores()

async function tryInboxes() {
  const { conversations, poison } = options
  const asked = { deliveries, conversations, poison, kills: Number.isFinite(kills) ? kills : 100 }
  if (deliveries < 2 * conversations)
    usageError('--deliveries should be at least twice --conversations.', USAGE)
  if (poison > conversations) usageError('--poison should be at most --conversations.', USAGE)
  const runs = options.inbox.flatMap((inbox) => [
    { ...asked, name: inbox, inbox, seed },
    { ...CONTROL_RUN, name: `${inbox}, control`, inbox, seed, naive: true },
  ])
  const tried = await runAll(runs, runInboxes)
  report(
    tried,
    [...new Set(tried.results.map(({ version }) => version)), `seed ${seed}`].join(', '),
  )
}

async function tryStores() {
  if (!copies && options.store.includes(MEMORY))
    usageError(`--store ${MEMORY} needs --copies.`, USAGE)
  // With --copies, all stores are one more.
  const stores = copies && options.store === STORES ? [...STORES, MEMORY] : options.store
  const runs = stores.flatMap((store) =>
    options.adapter.flatMap((adapter) => {
      const run = { store, adapter, deliveries, seed }
      if (!copies) return { ...run, name: store, kills }
      return (store === MEMORY ? [1] : [1, 2]).map((receivers) => ({
        ...run,
        name: `${store}, ${adapter}, receivers: ${receivers}`,
        receivers,
      }))
    }),
  )
  report(await runAll(runs, copies ? runCopies : runKills), `seed ${seed}`)
}
