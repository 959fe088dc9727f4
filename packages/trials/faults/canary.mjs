// Sends every vector, and deliveries that fit no schema, to every adapter, and looks for the secret, a MAC or a body in
// what comes out of it.
import { fileURLToPath } from 'node:url'
import { oneOrAll, readCommandLine } from '@webhook-receiver/checks/command-line.mjs'
import { startApplication } from '@webhook-receiver/checks/program.mjs'
import { terminalTable, tick } from '@webhook-receiver/checks/table.mjs'
import { TcpProxy } from '@webhook-receiver/checks/tcp-proxy.mjs'
import { loadVectors, runVectors } from '@webhook-receiver/conformance'
import pLimit from 'p-limit'
import { ADAPTERS } from '../applications.mjs'
import { LEAKS } from './canary/leaks.mjs'
import { marksIn, marksOf } from './canary/marks.mjs'
import { schemaCases } from './canary/schemas.mjs'

const PROGRAM = fileURLToPath(new URL('canary/application.mjs', import.meta.url))
const PLACES = ['stdout', 'stderr', 'responses']

/** What an adapter has to have responded, or the marks have not been everywhere. */
const STATUSES = ['204', '400', '401', '413', '415', '500']

/** Enough of the vectors for the controls. */
const CONTROL_GROUPS = ['genuine']

const USAGE = `npm run break -- canary [options]
  --adapter NAME   ${ADAPTERS.join(', ')} or all (all)
Exits with 1 where a mark came out, or a control's mark was not found.`

const { adapter: adapters } = readCommandLine(USAGE, { adapter: oneOrAll(ADAPTERS) })
const [vectors] = loadVectors('')
const cases = [...vectors.cases, ...schemaCases(vectors)]
const marks = marksOf({ ...vectors, cases })
// Most of a case is waiting, for the server or for the client to be slow.
const limit = pLimit(3)
const rows = await Promise.all([
  ...adapters.map((adapter) => limit(examine, adapter)),
  ...Object.keys(LEAKS).map((leak) => limit(examine, 'node', leak)),
])
console.log(terminalTable(['adapter', 'cases', 'responses', 'bytes looked at', ...PLACES], rows))
console.log(
  `\nNode ${process.versions.node}; ${marks.length} marks of ${cases.length} cases; NODE_ENV=development`,
)
if (process.exitCode) console.log('Not as it should be.')
else console.log('No mark came out, and those that were let out on purpose were found.')

/** What was found of one adapter, as a row. A control lets something out on purpose, which has to be found. */
async function examine(adapter, leak) {
  const sent = leak ? cases.filter(({ group }) => CONTROL_GROUPS.includes(group)) : cases
  const name = leak ? `${adapter}, leaking ${leak} on purpose` : adapter
  const outputs = await outputsOf(adapter, leak, sent)
  const statuses = [...outputs.responses.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(
    ([, status]) => status,
  )
  const missing = leak ? [] : STATUSES.filter((status) => !statuses.includes(status))
  const found = PLACES.map((place) => marksIn(outputs[place], marks))
  const right = leak ? found.flat().length > 0 : found.flat().length === 0
  if (missing.length > 0) console.log(`${name} has never responded with ${missing.join(', ')}.`)
  if (!right || missing.length > 0) process.exitCode = 1
  if (!leak) {
    for (const [at, inPlace] of found.entries()) {
      for (const { what, of } of inPlace) console.log(`${name}, ${PLACES[at]}: ${what} of ${of}`)
    }
  }
  const bytes = PLACES.reduce((sum, place) => sum + outputs[place].length, 0)
  const cells = found.map((inPlace) => (inPlace.length > 0 ? `${inPlace.length} marks` : 'none'))
  return [`${tick(right)} ${name}`, ...[sent.length, statuses.length, bytes].map(String), ...cells]
}

/** All that came out of an adapter, which is a separate process behind a proxy that keeps every response. */
async function outputsOf(adapter, leak, sent) {
  // In development frameworks print the most, and core diagnoses.
  const env = { NODE_ENV: 'development' }
  const { secret } = vectors
  const application = await startApplication([PROGRAM, adapter, leak ?? ''], { secret, env })
  const responses = []
  const proxy = new TcpProxy(`http://127.0.0.1:${application.port}`)
  proxy.onReply = (bytes, connection) => {
    responses[connection] ??= []
    responses[connection].push(bytes)
    return true
  }
  const { port } = await proxy.open()
  const started = performance.now()
  // What was printed is still on its way when the last case is over.
  await runVectors(() => ({ port, close: async () => {} }), { ...vectors, cases: sent })
  await proxy.cut()
  const { exitCode } = application.child
  await application.stop()
  if (exitCode !== null) throw new Error(`${adapter} ended by itself, with ${exitCode}.`)
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.error(`${adapter} ${leak ?? ''}: ${sent.length} cases in ${seconds} s`)
  return {
    ...application.output('latin1'),
    responses: responses.map((chunks) => Buffer.concat(chunks).toString('latin1')).join('\n'),
  }
}
