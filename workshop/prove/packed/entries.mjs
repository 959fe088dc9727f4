import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { publicPackages } from '../pack.mjs'
import { run } from '../step.mjs'
import { withPeers } from './peers.mjs'

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

/** Requires and imports each entry point, in a separate process. */
export async function tryEntries(context, node = process.execPath) {
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
    const attributes = json ? "{ with: { type: 'json' } }" : '{}'
    const load = `require('${entry}'); import('${entry}', ${attributes})`
    await run(node, ['-e', load], { cwd: folder }).catch(({ message }) => problems.push(message))
  }
  return { saw: `${entries.length} imported and required`, problems }
}

/** What `#mac` in core has to be, by the conditions of the platforms that esbuild knows and of Workers. */
const BACKENDS = [
  { name: '--platform=node', options: { platform: 'node' }, backend: 'mac-node' },
  { name: '--platform=browser', options: { platform: 'browser' }, backend: 'mac-web' },
  { name: '--conditions=workerd', options: { conditions: ['workerd'] }, backend: 'mac-web' },
]

/** Looks which backend core gets on Node, and in what esbuild bundles for several platforms. */
export async function tryBackends(context) {
  const require = createRequire(join(await withPeers(context, 'newest'), 'package.json'))
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
    saw: found.map(([, , got]) => got).join(' '),
    problems: found
      .filter(([, wanted, got]) => wanted !== got)
      .map(([where, wanted, got]) => `#mac in ${where} is ${got || 'nothing'}, not ${wanted}`),
  }
}

function backendOf(file) {
  return basename(file).replace(/\.c?js$/, '')
}
