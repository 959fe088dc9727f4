// Compares receivers with an independent model: fast-check generates the requests, for both backends of the MAC.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { oneOrAll, readCommandLine, wholeNumber } from '@webhook-receiver/checks/command-line.mjs'
import fc from 'fast-check'
import { OUTCOMES } from '../model/model.mjs'
import { propertiesOf } from '../model/properties.mjs'

const BACKENDS = { node: 'node:crypto', web: 'WebCrypto' }

const USAGE = `npm run break -- fuzz [options]

Compares receivers with an independent model, by requests that fast-check generates.

  --backend NAME  ${Object.keys(BACKENDS).join(', ')} or all (all)
  --runs N        for each property on node:crypto; WebCrypto gets a tenth of them (20000)
  --seed N        chooses the requests (1)

Exits with 1 if a receiver and the model disagree, or if an outcome was never reached.`

const CORE = import.meta.resolve('@webhook-receiver/core/package.json')

/**
 * The published bundles, and two modules that are in them but that they do not export. A condition in `exports` for these two
 * would be published, and name files that no tarball has; so they come from what `tsc` wrote beside the bundles.
 */
const PARTS = [
  ...['index', 'adapter', 'internal', 'mac-web'].map((file) => `dist/${file}.js`),
  ...['parse/json.js', 'verify/body-headers.js'].map((file) => `.tsc/${file}`),
]

/** Fewer requests may miss an outcome by chance. */
const ENOUGH = 20_000

const { backend, runs, seed } = readCommandLine(USAGE, {
  backend: oneOrAll(Object.keys(BACKENDS)),
  runs: wholeNumber(20_000),
  seed: wholeNumber(1),
})
const [only, ...others] = backend
if (others.length === 0) await fuzz(only)
else await Promise.all(backend.map(inProcess))

/** A process can load only one of them. */
async function inProcess(name) {
  const args = process.argv.slice(2).concat('--backend', name)
  const file = fileURLToPath(import.meta.url)
  const [code] = await once(spawn(process.execPath, [file, ...args], { stdio: 'inherit' }), 'exit')
  if (code !== 0) process.exitCode = 1
}

async function fuzz(name) {
  // The library removes the stack of a rejection. To collect it first is most of what a rejection costs here.
  Error.stackTraceLimit = 0
  const numRuns = name === 'web' ? Math.ceil(runs / 10) : runs
  const outcomes = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0]))
  const settings = { numRuns, seed, includeErrorInReport: true }
  const tried = {}
  const problems = []
  for (const property of propertiesOf(await loadCore(name))) {
    const result = await property.check({ ...settings, outcomes })
    tried[property.name] = result.numRuns
    if (result.failed)
      problems.push(`${property.name}: ${await fc.asyncDefaultReportMessage(result)}`)
  }
  const missing = OUTCOMES.filter((outcome) => outcomes[outcome] === 0)
  if (numRuns >= ENOUGH && missing.length > 0) problems.push(`Never reached: ${missing}.`)
  console.log(`${BACKENDS[name]}, seed ${seed}`)
  console.table({ ...tried, ...outcomes })
  console.log(problems.join('\n\n') || 'No false acceptance, no false rejection, no other error.')
  if (problems.length > 0) process.exitCode = 1
}

/** The built core, with the backend of Node or of the other runtimes. */
async function loadCore(name) {
  if (name === 'web') register('@webhook-receiver/trials/web-backend.mjs', import.meta.url)
  const parts = await Promise.all(PARTS.map((file) => import(new URL(file, CORE).href)))
  const core = Object.assign({}, ...parts)
  /** What a receiver checks before it reads the body. */
  const checkHeaders = (request, limit) => {
    const head = core.contract.readHead(request)
    core.checkBodyHeaders(request, limit)
    return head
  }
  return { ...core, checkHeaders }
}
