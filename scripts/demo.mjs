// Sends real deliveries to the four examples, each a process of its own, and shows what came of them.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startApplication, stopApplications } from './demo/application.mjs'
import { genuineDelivery, makeDeliveries } from './demo/deliveries.mjs'
import { judge, judgeOutput, judgeParserFirst } from './demo/judgement.mjs'
import { send } from './demo/send.mjs'
import { chooseSigner, randomSecret } from './demo/signer.mjs'
import { cell, table, tick, wrap } from './demo/table.mjs'

const FRAMEWORKS = ['express', 'fastify', 'hono', 'koa']

/** Longer than this and something hangs. */
const TIME_LIMIT = 30_000

/** How long a line that should not be there is given to appear, in milliseconds. */
const SETTLING_TIME = 200

const started = performance.now()
setTimeout(() => leave(`The demo took more than ${TIME_LIMIT / 1000} s.`), TIME_LIMIT).unref()
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

try {
  const wrong = await demo()
  await stopApplications()
  process.exitCode = wrong.length === 0 ? 0 : 1
} catch (error) {
  leave(`The demo could not be run: ${error.message}`)
}

async function demo() {
  refuseUnbuilt()
  const secret = randomSecret()
  console.error(`Starting ${FRAMEWORKS.join(', ')} and one application that parses first …`)
  const [parserFirst, ...applications] = await Promise.all([
    startApplication('parser first', ['parser-first.mjs'], here('demo/'), secret),
    ...FRAMEWORKS.map((name) =>
      startApplication(
        name,
        ['--import', 'tsx', 'server.ts'],
        here(`../examples/${name}/`),
        secret,
      ),
    ),
  ])

  const signer = chooseSigner()
  const deliveries = makeDeliveries(signer.sign, secret)
  console.error(`Sending ${deliveries.length} deliveries to each …`)
  const sent = []
  for (const delivery of deliveries) {
    for (const application of applications) {
      sent.push({ delivery, application, answer: await send(application.port, delivery) })
    }
  }
  const behindParser = genuineDelivery(signer.sign, secret)
  const parserAnswer = await send(parserFirst.port, behindParser)
  await new Promise((resolve) => setTimeout(resolve, SETTLING_TIME))

  const cells = sent.map(judge)
  const parserCell = judgeParserFirst({
    delivery: behindParser,
    application: parserFirst,
    answer: parserAnswer,
  })
  const outputs = applications.map((application) => judgeOutput(application, deliveries))
  const wrong = [...cells, parserCell, ...outputs].flatMap(({ problems }) => problems)
  print(signer.name, deliveries, cells, parserCell, wrong)
  return wrong
}

function print(signer, deliveries, cells, parserCell, wrong) {
  const rows = deliveries.map(({ name }, row) => [
    name,
    ...FRAMEWORKS.map((_, column) => cell(cells[row * FRAMEWORKS.length + column])),
  ])
  console.log(`\nSigned with ${signer}, not with this library.\n`)
  console.log(table(['delivery', ...FRAMEWORKS], rows))
  console.log(
    `\n${tick(true)} right  ${tick(false)} wrong  ` +
      'seen: the handler printed this delivery, once  —: the handler never ran\n',
  )
  console.log(`A genuine delivery behind express.json():  ${cell(parserCell)}`)
  console.log(`The operator of that one reads:\n${wrap(parserCell.line ?? 'nothing', '  ')}\n`)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (wrong.length === 0) {
    console.log(`${tick(true)} All ${cells.length + 1} answers are right, in ${seconds} s.`)
  } else {
    console.log(`${tick(false)} Wrong:\n${wrong.map((problem) => `  - ${problem}`).join('\n')}`)
  }
}

function refuseUnbuilt() {
  const needed = FRAMEWORKS.flatMap((name) => [
    here(`../packages/${name}/dist/index.js`),
    here(`../examples/${name}/node_modules`),
  ])
  const missing = needed.find((path) => !existsSync(path))
  if (missing === undefined) return
  leave(
    `${missing} is missing: run \`npx -y pnpm@10.34.8 install\` first, which also builds the packages.`,
  )
}

function here(path) {
  return fileURLToPath(new URL(path, import.meta.url))
}

/** Whatever is running is ended on the way out. */
function leave(reason) {
  console.error(reason)
  process.exit(1)
}
