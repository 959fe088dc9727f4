import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { publicPackages } from '../../pack.mjs'
import { run } from '../../step.mjs'
import { ours, versionOf } from '../install.mjs'
import { withPeers } from '../peers.mjs'

/** The suite of conformance loads inside vitest only. */
const ELSEWHERE = ['@webhook-receiver/conformance']

/** What `#mac` in core has to be, by the conditions of the platforms that esbuild knows and of Workers. */
const BACKENDS = [
  { name: '--platform=node', options: { platform: 'node' }, backend: 'mac-node' },
  { name: '--platform=browser', options: { platform: 'browser' }, backend: 'mac-web' },
  { name: '--conditions=workerd', options: { conditions: ['workerd'] }, backend: 'mac-web' },
]

export const entryRows = [
  { name: 'every entry point, without peers', short: true, run: tryEntries },
  { name: 'the backend of core, in bundles', short: true, run: tryBackends },
]

/** What a package imports at once: without its peer, it is nothing. */
const NEEDED = {
  '@nestjs/common': '12',
  '@nestjs/core': '12',
  '@opentelemetry/api': '^1.9.0',
  'reflect-metadata': '0.2',
  rxjs: '7',
}

/** Every package without its optional peers, to load each of its entry points by itself. */
async function withoutPeers(context) {
  const packages = await publicPackages()
  const dependencies = {
    ...ours(packages.map(({ folder }) => folder)),
    ...NEEDED,
  }
  return context.installed('alone', dependencies, { flags: ['--config.auto-install-peers=false'] })
}

/** Requires and imports each entry point, in a separate process. */
export async function tryEntries(context, node = process.execPath) {
  const folder = await withoutPeers(context)
  const problems = []
  const found = await entries()
  for (const entry of found) {
    const json = entry.endsWith('.json') || entry.endsWith('/vectors')
    const attributes = json ? "{ with: { type: 'json' } }" : '{}'
    const load = `require('${entry}'); import('${entry}', ${attributes})`
    await run(node, ['-e', load], { cwd: folder }).catch(({ message }) => problems.push(message))
  }
  return { saw: `${found.length} imported and required`, problems }
}

/** Looks which backend core gets on Node, and in what esbuild bundles for several platforms. */
async function tryBackends(context) {
  const folder = await withPeers(context, 'newest')
  const require = createRequire(join(folder, 'package.json'))
  const core = require.resolve('@webhook-receiver/core')
  const found = [['node', 'mac-node', backendOf(createRequire(core).resolve('#mac'))]]
  for (const { name, options, backend } of BACKENDS) {
    const { metafile } = await require('esbuild').build({
      entryPoints: [core],
      bundle: true,
      external: ['node:*'],
      format: 'esm',
      metafile: true,
      write: false,
      ...options,
    })
    const backends = Object.keys(metafile.inputs).filter((file) => /mac-\w+\.c?js$/.test(file))
    found.push([`esbuild ${name}`, backend, backends.map(backendOf).join()])
  }
  return {
    versions: `esbuild ${await versionOf(folder, 'esbuild')}`,
    saw: found.map(([, , got]) => got).join(' '),
    problems: found
      .filter(([, wanted, got]) => wanted !== got)
      .map(([where, wanted, got]) => `#mac in ${where} is ${got || 'nothing'}, not ${wanted}`),
  }
}

function backendOf(file) {
  return basename(file).replace(/\.c?js$/, '')
}

async function entries() {
  const packages = await publicPackages()
  return (
    packages
      .flatMap(({ name, exports }) => Object.keys(exports ?? {}).map((path) => join(name, path)))
      // The files of the services stand behind a pattern.
      .map((entry) => entry.replace('*', 'stripe'))
      .filter((entry) => !ELSEWHERE.includes(entry))
  )
}
