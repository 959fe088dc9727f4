// Kills a receiver, or the server and the worker of an inbox, again and again while deliveries are handled, and counts what was
// lost and what happened twice.
import {
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
import { runInboxes } from './scenarios/inboxes.mjs'
import { runKills } from './scenarios/kills.mjs'

/** A store that is wrong: as a control, it has to fail. */
const CONTROL = 'naive'

/** Long enough for a control to show its fault. */
const CONTROL_RUN = { deliveries: 500, kills: 12 }

const USAGE = `npm run break -- chaos [options]
  --store NAME      ${STORES.join(', ')} or all (all);
                    ${CONTROL}: SET NX before the work, a control that loses deliveries
  --adapter NAME    what the receiver is built on: ${ADAPTERS.join(', ')} or all (node)
  --inbox NAME      instead: the examples with a queue and a worker, on servers of their own, and a control for each:
                    ${Object.keys(INBOXES).join(', ')} or all
  --back-off N      beside them so many keys of the inbox in PostgreSQL, each with a delivery that fails in every attempt and waits up to 10 minutes (0)
  --deliveries N    how many (10000)
  --kills N         so many kills, spread over the run; 0 for none (150 to 500 ms after each start, to the end; of inboxes 100)
  --seed N          of every decision; the timing is the machine's (1)
Redis and PostgreSQL are at REDIS_URL and DATABASE_URL, else at their ports on this machine. SQLite is node:sqlite, or
libsql where Node has none. DynamoDB is dynalite, which each run starts. Exits with 1 where a promise was broken, or
where one of them does not respond.`

const {
  inbox,
  store,
  adapter,
  deliveries,
  kills,
  seed,
  'back-off': backOff,
} = readCommandLine(USAGE, {
  store: oneOrAll(STORES, [CONTROL]),
  adapter: { ...oneOrAll(ADAPTERS), fallback: ['node'] },
  deliveries: wholeNumber(10_000),
  kills: wholeNumber(Number.POSITIVE_INFINITY, { least: 0 }),
  inbox: { ...oneOrAll(Object.keys(INBOXES)), fallback: undefined },
  'back-off': wholeNumber(0, { least: 0 }),
  seed: wholeNumber(1, { least: 0 }),
})
if (backOff > 0 && !inbox?.includes('postgres')) {
  usageError('--back-off is for --inbox postgres.', USAGE)
}
const most = Number.isFinite(kills) ? kills : 100
const runs = inbox
  ? inbox.flatMap((name) => [
      {
        name,
        inbox: name,
        deliveries,
        kills: most,
        seed,
        ...(name === 'postgres' ? { backOff } : {}),
      },
      { name: `${name}, control`, inbox: name, naive: true, ...CONTROL_RUN, seed },
    ])
  : store.flatMap((name) =>
      adapter.map((each) => ({ name, store: name, adapter: each, deliveries, kills, seed })),
    )
const tried = await runAll(runs, inbox ? runInboxes : runKills)
const versions = new Set(tried.results.flatMap(({ version }) => version ?? []))
report(tried, [...versions, `seed ${seed}`].join(', '))
