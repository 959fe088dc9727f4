// Starts the four examples, each as a separate process, sends them deliveries that this library did not sign, and shows the
// responses.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exampleFolder, startExample } from '../example.mjs'
import { FRAMEWORKS } from '../lists.mjs'
import { startApplication, stopPrograms } from '../program.mjs'
import { chooseSigner, randomSecret } from '../signing.mjs'
import { send } from '../wire.mjs'
import { createRequests, validRequest } from './deliveries.mjs'
import { check, checkOutput, checkParserFirst, print } from './results.mjs'

/** Longer than this and something hangs. */
const TIME_LIMIT = 30_000

/** How long a line that should not be there is given to appear, in milliseconds. */
const SETTLING_TIME = 200

const started = performance.now()
setTimeout(() => exit(`The demo took more than ${TIME_LIMIT / 1000} s.`), TIME_LIMIT).unref()
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

try {
  expectBuilt()
  const wrong = await demo()
  await stopPrograms()
  process.exitCode = wrong.length === 0 ? 0 : 1
} catch (error) {
  exit(`The demo could not be run: ${error.message}`)
}

async function demo() {
  console.error(`Starting ${FRAMEWORKS.join(', ')} …`)
  const [parserFirst, ...applications] = await Promise.all([
    start('parser first', (options) => startApplication([pathOf('parser-first.mjs')], options)),
    ...FRAMEWORKS.map((name) => start(name, (options) => startExample(name, options))),
  ])

  const signer = chooseSigner()
  const requests = applications.map(({ secret }) => createRequests(signer.sign, secret))
  console.error(`${requests[0].length} deliveries to each …`)
  const exchanges = []
  for (const row of requests[0].keys()) {
    for (const [column, application] of applications.entries()) {
      const request = requests[column][row]
      exchanges.push({ request, application, ...(await send(application.port, request)) })
    }
  }
  const request = validRequest(signer.sign, parserFirst.secret)
  const response = await send(parserFirst.port, request)
  await new Promise((resolve) => setTimeout(resolve, SETTLING_TIME))

  const cells = exchanges.map(check)
  const parserCell = checkParserFirst({ request, application: parserFirst, ...response })
  const wrong = [
    ...[...cells, parserCell].flatMap(({ problems }) => problems),
    ...applications.flatMap((application) => checkOutput(application, exchanges)),
  ]
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  print({ names: FRAMEWORKS, signer: signer.name, cells, parserCell, wrong, seconds })
  return wrong
}

async function start(name, work) {
  const secret = randomSecret()
  return { ...(await work({ secret })), name, secret }
}

function expectBuilt() {
  const needed = FRAMEWORKS.map((name) => pathOf(`../../${name}/dist/index.js`))
  const installed = FRAMEWORKS.map((name) => join(exampleFolder(name), 'node_modules'))
  const missing = [...needed, ...installed].find((path) => !existsSync(path))
  if (missing === undefined) return
  exit(
    `${missing} is missing: run \`npx -y pnpm@10.34.8 install\`, which also builds the packages.`,
  )
}

function pathOf(path) {
  return fileURLToPath(new URL(path, import.meta.url))
}

/** Ends the programs that are running too. */
function exit(reason) {
  console.error(reason)
  process.exit(1)
}
