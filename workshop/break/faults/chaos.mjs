// Kills the server and the worker of the inbox again and again while deliveries are handled, and counts what was lost and what happened twice.
import { readCommandLine, wholeNumber } from '@webhook-receiver/checks/command-line.mjs'
import { withCleanup } from '@webhook-receiver/checks/runs.mjs'
import { conclude } from '@webhook-receiver/checks/step.mjs'
import { killInbox } from './inbox/trial.mjs'

/** Long enough for the control to show its fault. */
const CONTROL = { name: 'control', naive: true, deliveries: 500, kills: 12 }

const { seed, ...asked } = readCommandLine(
  'break -- chaos',
  `Starts a PostgreSQL, and kills the server and the worker of the example with the inbox, and of a control that loses deliveries. Exits with 1
if a promise is broken.`,
  {
    'back-off': wholeNumber(0, 'keys that wait beside the others', { least: 0 }),
    deliveries: wholeNumber(10_000, 'how many'),
    kills: wholeNumber(100, 'spread over the run', { least: 0 }),
    seed: wholeNumber(1, 'of every decision; the timing is the machine’s', { least: 0 }),
  },
)
const results = []
for (const run of [{ name: 'inbox', ...asked }, CONTROL])
  results.push(await withCleanup((onEnd) => killInbox({ ...run, seed }, onEnd)))
console.table(results.map(({ figures }) => figures))
console.log(`Node ${process.versions.node}, ${results[0].version}, seed ${seed}`)
conclude(results)
