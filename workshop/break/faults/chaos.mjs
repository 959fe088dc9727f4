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
import { conclude } from '@webhook-receiver/checks/step.mjs'
import { runKills } from './kills.mjs'
import { inboxScenario } from './scenarios/inbox.mjs'
import { STORES, storeScenario } from './scenarios/stores.mjs'

/** The most violations of a run that are printed. */
const SHOWN = 10

/** Long enough for the control of the inbox to show its fault. */
const CONTROL_RUN = { deliveries: 500, kills: 12 }

const { inbox, store, deliveries, kills, seed, backOff } = readCommandLine(
  'break -- chaos',
  `Starts the server of each store and kills receivers on it. With --inbox, it kills the server and the worker of the inbox example and of a
control. Exits with 1 if a promise is broken or a server is not installed.`,
  {
    store: oneOrAll(STORES, 'what the receiver keeps deliveries in'),
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
      { name: 'inbox', deliveries, kills: most, backOff },
      { name: 'inbox, control', isControl: true, ...CONTROL_RUN },
    ]
  : store.map((name) => ({ name, store: name, deliveries, kills }))
const open = inbox ? inboxScenario : storeScenario
const { results, skipped } = await runAll(runs, (run, onEnd) =>
  runKills({ ...run, open, seed }, onEnd),
)
console.table(results.map(({ figures }) => figures))
const versions = new Set(results.flatMap(({ version }) => version ?? []))
console.log([`Node ${process.versions.node}`, ...versions, `seed ${seed}`].join(', '))
conclude([
  ...results.map(({ name, violations }) => ({ name, problems: violations.slice(0, SHOWN) })),
  ...skipped.map((line) => ({ name: 'skipped', problems: [line] })),
])
