// Sends every vector to every adapter and looks for the secret, a MAC or a body in what comes out of it.
import { loadVectors, runVectors } from '@webhook-receiver/conformance'
import { table, tick } from '@webhook-receiver/tools/table.mjs'
import { ADAPTERS, LEAKS } from './canary/applications.mjs'
import { marksIn, marksOf, PLACES } from './canary/marks.mjs'
import { readOptions } from './canary/options.mjs'
import { startServer } from './canary/process.mjs'

/** What an adapter has to have answered, or the marks have not been everywhere. */
const STATUSES = [204, 400, 401, 413, 415, 500]

const { adapters } = readOptions()
/** What is enough of the vectors for the controls. */
const LEAK_GROUPS = ['genuine']

const [vectors] = loadVectors('')
const marks = marksOf(vectors)
const rows = []
// The controls come behind: what gives something away on purpose has to be found.
const waiting = [...adapters.map((name) => [name]), ...LEAKS.map((leak) => [ADAPTERS[0], leak])]
const work = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const at = rows.push([]) - 1
    rows[at] = await examined(...next)
  }
}
// Most of a case is waiting, for the server or for the client to be slow.
await Promise.all(Array.from({ length: 3 }, work))
console.log(table(['adapter', 'cases', 'answers', 'bytes looked at', ...PLACES], rows))
console.log(
  `\nNode ${process.versions.node}; ${marks.length} marks of ${vectors.cases.length} cases; NODE_ENV=development`,
)
if (process.exitCode) console.log('Not as it should be.')
else console.log('No mark came out, and those that were let out on purpose were found.')

/** What was found of one adapter, as a row. */
async function examined(adapter, leak) {
  const cases = leak
    ? vectors.cases.filter(({ group }) => LEAK_GROUPS.includes(group))
    : vectors.cases
  const server = await startServer(adapter, leak)
  const started = performance.now()
  await runVectors(() => server, { ...vectors, cases })
  const outputs = await server.stop()
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  const name = leak ? `${adapter}, leaking ${leak} on purpose` : adapter
  console.error(`${name}: ${cases.length} cases in ${seconds} s`)
  const missing = leak ? [] : STATUSES.filter((status) => !outputs.statuses.has(status))
  if (missing.length > 0) {
    process.exitCode = 1
    console.log(`${name} has never answered ${missing.join(', ')}.`)
  }
  const found = PLACES.map((place) => marksIn(outputs[place], marks))
  const right = leak ? found.some((inPlace) => inPlace.length > 0) : found.flat().length === 0
  if (!right) process.exitCode = 1
  for (const [place, inPlace] of leak ? [] : found.entries()) {
    for (const { what, of } of inPlace) console.log(`${name}, ${PLACES[place]}: ${what} of ${of}`)
  }
  const bytes = PLACES.reduce((sum, place) => sum + outputs[place].length, 0)
  const answers = [...outputs.statuses.values()].reduce((sum, count) => sum + count, 0)
  const cells = found.map((inPlace) => (inPlace.length > 0 ? `${inPlace.length} marks` : 'none'))
  return [`${tick(right)} ${name}`, ...[cases.length, answers, bytes].map(String), ...cells]
}
