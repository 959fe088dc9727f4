// Registers the four examples, each a process of its own, at the emulator, lets it send them a conversation, sends
// them deliveries that this library did not sign, and shows what came of all that.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startApplication, stopApplications } from '@webhook-receiver/tools/application.mjs'
import { send } from '@webhook-receiver/tools/send.mjs'
import { chooseSigner, randomSecret } from '@webhook-receiver/tools/signer.mjs'
import { genuineDelivery, makeDeliveries } from './deliveries.mjs'
import { judge, judgeOutput, judgeParserFirst } from './judgement.mjs'
import { holdPort } from './ports.mjs'
import { print } from './print.mjs'
import { startService } from './service.mjs'

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
  refuseUnbuilt()
  const service = await startService()
  const wrong = await demo(service)
  await Promise.all([stopApplications(), service.stop()])
  process.exitCode = wrong.length === 0 ? 0 : 1
} catch (error) {
  leave(`The demo could not be run: ${error.message}`)
}

async function demo(service) {
  console.error(`Registering ${FRAMEWORKS.join(', ')} at ${service.baseUrl}, and starting them …`)
  const [parserFirst, ...applications] = await Promise.all([
    startParserFirst(),
    ...FRAMEWORKS.map((name) => startRegistered(service, name)),
  ])

  console.error('A conversation, from the emulator to each …')
  const sent = await service.converse(applications)
  const signer = chooseSigner()
  const lists = applications.map(({ secret }) => makeDeliveries(signer.sign, secret))
  console.error(`${lists[0].length} deliveries that are signed elsewhere, to each …`)
  for (const row of lists[0].keys()) {
    for (const [column, application] of applications.entries()) {
      const delivery = lists[column][row]
      sent.push({ delivery, application, answer: await send(application.port, delivery) })
    }
  }
  const delivery = genuineDelivery(signer.sign, parserFirst.secret)
  const answer = await send(parserFirst.port, delivery)
  await new Promise((resolve) => setTimeout(resolve, SETTLING_TIME))

  const cells = sent.map(judge)
  const parserCell = judgeParserFirst({ delivery, application: parserFirst, answer })
  const outputs = applications.map((application) => judgeOutput(application, sent))
  const wrong = [...cells, parserCell, ...outputs].flatMap(({ problems }) => problems)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  print({ applications, signer: signer.name, cells, parserCell, wrong, seconds })
  return wrong
}

async function startParserFirst() {
  const { port, release } = await holdPort()
  const secret = randomSecret()
  await release()
  const args = ['parser-first.mjs']
  const application = await startApplication('parser first', args, here('./'), secret, port)
  return Object.assign(application, { secret })
}

/** The secret is known once the URL is registered, so the port has to be known before the start. */
async function startRegistered(service, name) {
  const { port, release } = await holdPort()
  const url = `http://127.0.0.1:${port}/webhooks`
  const secret = await service.register(url)
  await release()
  const args = ['--import', 'tsx', 'server.ts']
  const application = await startApplication(
    name,
    args,
    here(`../../examples/${name}/`),
    secret,
    port,
  )
  return Object.assign(application, { url, secret })
}

function refuseUnbuilt() {
  const needed = [...FRAMEWORKS, 'client', 'emulator'].map((name) =>
    here(`../${name}/dist/index.js`),
  )
  const installed = FRAMEWORKS.map((name) => here(`../../examples/${name}/node_modules`))
  const missing = [...needed, ...installed].find((path) => !existsSync(path))
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
