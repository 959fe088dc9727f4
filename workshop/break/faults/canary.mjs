// Sends every vector to every adapter, and looks for the secret, a MAC or the content of a delivery in what comes out of it.
import { fileURLToPath } from 'node:url'
import { oneOrAll, readCommandLine } from '@webhook-receiver/checks/command-line.mjs'
import { startApplication } from '@webhook-receiver/checks/program.mjs'
import { TcpProxy } from '@webhook-receiver/checks/tcp-proxy.mjs'
import { loadVectors, runVectors } from '@webhook-receiver/conformance'
import pLimit from 'p-limit'
import { ADAPTERS } from '../applications.mjs'
import { marksIn, marksOf } from './canary/marks.mjs'

const PROGRAM = fileURLToPath(new URL('canary/application.mjs', import.meta.url))

/** What an adapter has to have responded, or the marks have not been everywhere. */
const STATUSES = ['204', '400', '401', '413', '415', '500']

/** A receiver that lets all of them out, in each place. */
const CONTROL = 'control'

/** The secret, the bytes of a body as a list and a MAC, as the control prints them. */
const LEAKED = [/^whsec/, /^\d+,/, /^[0-9a-f]{16}$/]

const { adapter: adapters } = readCommandLine(
  'break -- canary',
  'Exits with 1 where a secret, a MAC or a body came out, or where that of a control was not found.',
  { adapter: oneOrAll(ADAPTERS, 'what the receiver is built on') },
)
const [vectors] = loadVectors('')
const marks = marksOf(vectors)
// Most of a case is waiting, for the server or for the client to be slow.
const limit = pLimit(3)
console.table(await Promise.all([...adapters, CONTROL].map((name) => limit(examine, name))))
console.log(`\nNode ${process.versions.node}; NODE_ENV=development`)
if (process.exitCode) console.log('Not as it should be.')
else console.log('No mark came out, and those that were let out on purpose were found.')

/** What was found of one adapter, as a row. */
async function examine(name) {
  const isControl = name === CONTROL
  const cases = vectors.cases.filter(({ group }) => !isControl || group === 'genuine')
  const { printed, responses } = await outputsOf(name, cases)
  const statuses = Array.from(responses.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => status)
  const missing = STATUSES.filter((status) => !isControl && !statuses.includes(status))
  const found = [marksIn(printed, marks), marksIn(responses, marks)]
  const right = isControl
    ? LEAKED.every((kind) => found[0].some((mark) => kind.test(mark))) && found[1].length > 0
    : found.flat().length === 0 && missing.length === 0
  if (!right) {
    process.exitCode = 1
    console.log(`${name}: ${JSON.stringify({ found, missing })}`)
  }
  return {
    ...{ adapter: name, right, cases: cases.length, responses: statuses.length },
    ...{ 'marks printed': found[0].length, 'in responses': found[1].length },
  }
}

/** All that came out of an adapter, which is a separate process behind a proxy that keeps every response. */
async function outputsOf(name, cases) {
  const { secret } = vectors
  const args = name === CONTROL ? [PROGRAM, 'node', 'leak'] : [PROGRAM, name]
  // In development frameworks print the most, and core diagnoses.
  const application = await startApplication(args, { secret, env: { NODE_ENV: 'development' } })
  const responses = []
  const proxy = new TcpProxy(`http://127.0.0.1:${application.port}`)
  proxy.onReply = (bytes, connection) => {
    responses[connection] ??= []
    responses[connection].push(bytes)
    return true
  }
  const { port } = await proxy.open()
  await runVectors(() => ({ port, close: async () => {} }), { ...vectors, cases })
  await proxy.cut()
  const { exitCode } = application.child
  await application.stop()
  if (exitCode !== null) throw new Error(`${name} ended by itself, with ${exitCode}.`)
  const { stdout, stderr } = application.output('latin1')
  return {
    printed: stdout + stderr,
    responses: responses.map((chunks) => Buffer.concat(chunks).toString('latin1')).join('\n'),
  }
}
