import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { publicPackages } from '@webhook-receiver/tools/pack.mjs'
import { run } from '@webhook-receiver/tools/step.mjs'
import { install } from './install.mjs'

/** The suite of conformance loads inside vitest only. */
const ELSEWHERE = ['@webhook-receiver/conformance']

/** What `#mac` in core has to be, by the conditions of the platforms that esbuild knows and of Workers. */
const BACKENDS = [
  { name: '--platform=node', options: { platform: 'node' }, backend: 'mac-node' },
  { name: '--platform=browser', options: { platform: 'browser' }, backend: 'mac-web' },
  { name: '--conditions=workerd', options: { conditions: ['workerd'] }, backend: 'mac-web' },
]

/** Installs every package without any peer, to load each of its entry points by itself. */
export async function installEntries(folder, tarballs) {
  await install(folder, tarballs, { esbuild: '0.28' }, ['--legacy-peer-deps'])
}

/** Imports and requires each entry point. Gives what failed. */
export async function checkEntries(folder, node = process.execPath) {
  const problems = []
  const attempt = async (what, args) => {
    await run(node, args, { cwd: folder }).catch((error) =>
      problems.push(`${what}: ${error.message}`),
    )
  }
  for (const entry of await entries()) {
    const json = entry.endsWith('.json') || entry.endsWith('/vectors')
    const attributes = json ? "{ with: { type: 'json' } }" : '{}'
    const load = `await import('${entry}', ${attributes})`
    await attempt(`import ${entry}`, ['--input-type=module', '-e', load])
    await attempt(`require ${entry}`, ['-e', `require('${entry}')`])
  }
  return problems
}

/** Looks which backend core gets on Node, and in what esbuild bundles for several platforms. */
export async function checkBackends(folder) {
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
  return found
    .filter(([, wanted, got]) => wanted !== got)
    .map(([where, wanted, got]) => `#mac in ${where} is ${got || 'nothing'} instead of ${wanted}`)
}

function backendOf(file) {
  return basename(file).replace(/\.c?js$/, '')
}

async function entries() {
  const packages = await publicPackages()
  return packages
    .flatMap(({ name, exports }) => Object.keys(exports ?? {}).map((path) => join(name, path)))
    .filter((entry) => !ELSEWHERE.includes(entry))
}
