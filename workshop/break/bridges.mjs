// The pages of the queues, each against its engine.
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readCommandLine, text, wholeNumber } from '@webhook-receiver/checks/command-line.mjs'
import { install } from '@webhook-receiver/checks/packed/install.mjs'
import { runAll } from '@webhook-receiver/checks/runs.mjs'
import { conclude, step } from '@webhook-receiver/checks/step.mjs'
import { findBridges } from './bridges/list.mjs'
import { tryBridge } from './bridges/trial.mjs'

const { only = '', deliveries } = readCommandLine(
  'break -- bridges',
  `Runs the code of docs/guides/queues.md against each engine: server and worker as processes, deliveries of two services in copies, and
kills of the server, the worker and the engine. RabbitMQ has to run at AMQP_URL or on its standard port, and is not killed; SQS is an
emulator. An engine that is missing is skipped, and named.`,
  {
    only: text('those with this in their names'),
    deliveries: wholeNumber(200, 'how many in each part'),
  },
)

const bridges = findBridges().filter(({ name }) => name.includes(only))
// Inside the checkout, whose packages the pages import.
const folder = fileURLToPath(new URL('.bridges-weekly', import.meta.url))
await step('install the clients', () =>
  install(folder, Object.assign({}, ...bridges.map(({ packages }) => packages))),
)
const { results, skipped } = await runAll(bridges, (bridge) =>
  step(bridge.name, () =>
    tryBridge(bridge, { folder: bridge.packages && folder, deliveries }).catch((error) => {
      if (error.constructor.name === 'Unavailable') throw error
      return { name: bridge.name, saw: {}, problems: [error.stack] }
    }),
  ),
)
await rm(folder, { recursive: true })

console.table(Object.fromEntries(results.map(({ name, saw }) => [name, saw])))
for (const line of skipped) console.log(`Skipped: ${line}`)
conclude(results.map(({ name, problems }) => ({ name, problems })))
process.exit()
