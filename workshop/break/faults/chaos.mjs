// Kills a receiver, or the server and the worker of an inbox, again and again while deliveries are handled, and counts what was
// lost and what happened twice.
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
import { runInbox } from './scenarios/inbox.mjs'
import { runKills } from './scenarios/kills.mjs'

/** A store that is wrong: as a control, it has to fail. */
const CONTROL = 'naive'

/** Long enough for a control to show its fault. */
const CONTROL_RUN = { deliveries: 500, kills: 12 }

const { inbox, store, adapter, deliveries, kills, seed, backOff } = readCommandLine(
  'break -- chaos',
  `Kills receivers on each store, also at REDIS_URL and DATABASE_URL. With --inbox, it starts a PostgreSQL, and kills the server and the
worker of the inbox example and of a control. Exits with 1 if a promise is broken or a store does not respond.`,
  {
    store: oneOrAll(
      STORES,
      `${CONTROL} is SET NX before the work, a control that loses deliveries`,
      [CONTROL],
    ),
    adapter: {
      ...oneOrAll(ADAPTERS, 'what the receiver is built on'),
      fallback: ['node'],
      shown: 'node',
    },
    inbox: flag('the example with the inbox'),
    'back-off': wholeNumber(0, 'keys of the inbox that wait beside the others', {
      least: 0,
    }),
    deliveries: wholeNumber(10_000, 'how many'),
    kills: {
      ...wholeNumber(Infinity, 'spread over the run; of the inbox 100', { least: 0 }),
      shown: 'to the end',
    },
    seed: wholeNumber(1, 'of every decision; the timing is the machine’s', { least: 0 }),
  },
)
if (backOff > 0 && !inbox) usageError('--back-off is for --inbox.')
const most = Number.isFinite(kills) ? kills : 100
const runs = inbox
  ? [
      { name: 'inbox', deliveries, kills: most, seed, backOff },
      { name: 'inbox, control', naive: true, ...CONTROL_RUN, seed },
    ]
  : store.flatMap((name) =>
      adapter.map((each) => ({ name, store: name, adapter: each, deliveries, kills, seed })),
    )
const tried = await runAll(runs, inbox ? runInbox : runKills)
const versions = new Set(tried.results.flatMap(({ version }) => version ?? []))
report(tried, [...versions, `seed ${seed}`].join(', '))
