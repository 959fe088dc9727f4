import { createRequire } from 'node:module'
import { join } from 'node:path'
import { publicPackages } from '../pack.mjs'
import { run } from '../step.mjs'

/** What a package imports at once: without its peer, it is nothing. */
const NEEDED = {
  '@nestjs/common': '12',
  '@nestjs/core': '12',
  '@opentelemetry/api': '^1.9.0',
  jose: '^6.0.0',
  'reflect-metadata': '0.2',
  rxjs: '7',
  vitest: '4',
}

/** A package sees what it declares and nothing else, and has none of its optional peers. */
const STRICT = ['--config.auto-install-peers=false', '--config.hoist=false']

/** Requires and imports an entry, which has to export the same names both times. */
const load = (entry) => `
  const namesOf = (from) => Object.keys(from).filter((name) => !/^(default|module.exports|__esModule)$/.test(name)).sort().join()
  const required = namesOf(require('${entry}'))
  import('${entry}').then((imported) => {
    if (namesOf(imported) !== required) throw new Error('${entry} exports ' + required + ' to require(), and ' + namesOf(imported))
  })`

/** A file of data has no names. */
const loadJson = (entry) => `require('${entry}'); import('${entry}', { with: { type: 'json' } })`

/** Requires and imports each entry point, in a separate process. */
export async function tryEntries(context) {
  const packages = await publicPackages()
  const dependencies = { ...context.registry.packages, ...NEEDED }
  const folder = await context.installed('alone', dependencies, { flags: STRICT })
  const entries = packages
    .flatMap(({ name, exports }) => Object.keys(exports ?? {}).map((path) => join(name, path)))
    // The files of the services stand behind a pattern.
    .map((entry) => entry.replace('*', 'stripe'))
  const problems = []
  for (const entry of entries) {
    const json = entry.endsWith('.json') || entry.endsWith('/vectors')
    const program = json ? loadJson(entry) : load(entry)
    await run(process.execPath, ['-e', program], { cwd: folder }).catch(({ message }) =>
      problems.push(message),
    )
  }
  // The examples on Workers show that a bundle for these has the other one.
  const core = createRequire(join(folder, 'package.json')).resolve('@webhook-receiver/core')
  if (!createRequire(core).resolve('#mac').includes('mac-node'))
    problems.push('#mac is not that of Node')
  return { saw: `${entries.length} imported and required`, problems }
}
