// The core suite, the vectors and the examples on every runtime, each of which is installed from the npm registry.
import { join } from 'node:path'
import { pairwise } from '../step.mjs'
import { withPackedPackages } from './registry.mjs'
import { installSuite, runSuite } from './runtimes/core-suite.mjs'
import { runExamples } from './runtimes/examples.mjs'
import { installRuntimes } from './runtimes/install.mjs'
import { readOptions } from './runtimes/options.mjs'
import { problemsOf, report } from './runtimes/report.mjs'
import { servicesOverSockets } from './runtimes/scheme-vectors.mjs'
import { installSurfaces } from './runtimes/surfaces.mjs'
import { overSockets, SURFACES, withoutHttp } from './runtimes/vectors.mjs'

/** Newer than what this script runs on: what stands beside workerd does not run on Node 20. */
const HOST = 'node24'

const { only, examples: chosen, surfaces, suite } = readOptions()

await withPackedPackages(async ({ folder, registry }) => {
  const at = (name) => join(folder, name)
  const wanted = only.includes(HOST) || !(suite || chosen.length > 0) ? only : [...only, HOST]
  const [installed] = await Promise.all([
    step(`install ${wanted.join(', ')}`, () => installRuntimes(at('runtimes'), wanted)),
    surfaces && step('install the surfaces', () => installSurfaces(at('surfaces'), registry)),
    suite && step('install the core suite', () => installSuite(at('suite'))),
  ])
  const host = installed.find(({ id }) => id === HOST)
  const runtimes = installed.filter(({ id }) => only.includes(id))

  const results = await pairwise(surfaces ? runtimes : [], async (runtime) => ({
    runtime,
    ...(await onRuntime(runtime, at, host)),
  }))
  const into = { folder: at('examples'), registry, runtimes, host }
  const examples = await runExamples({ ...into, only: chosen })
  report(results, examples)
  if (problemsOf(results, examples).length > 0) process.exitCode = 1
})

async function onRuntime(runtime, at, host) {
  const { name } = runtime
  const folder = at('surfaces')
  const attempt = (what, work) =>
    step(`${name}: ${what}`, work).catch((error) => ({ problems: [error.message] }))
  const found = {}
  found.receive = await attempt('receive', () => withoutHttp(folder, runtime, 'own'))
  if (runtime.kind !== 'workerd') {
    found.receiveWeb = await attempt('receive on WebCrypto', () =>
      withoutHttp(folder, runtime, 'web'),
    )
  }
  for (const surface of SURFACES) {
    found[surface] = await attempt(surface, () => overSockets(folder, runtime, surface))
  }
  found.schemes = await attempt('schemes', () => servicesOverSockets(folder, runtime))
  if (suite) {
    found.suite = await attempt('core suite', () => runSuite(at('suite'), runtime, host.binary))
  }
  return found
}

async function step(name, work) {
  const started = performance.now()
  try {
    return await work()
  } finally {
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.error(`${seconds.padStart(6)} s  ${name}`)
  }
}
