import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from '../install.mjs'
import { HOST, installRuntimes, QUIET } from '../runtimes/install.mjs'
import { FRAMEWORKS } from './combinations.mjs'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/** Where what is imported is installed, and not in what the settings of Deno name. */
const ON_DENO = '--allow-all --quiet --no-config --node-modules-dir=manual'

/** The tests of a Worker run in workerd, by Cloudflare's plugin. */
const IN_WORKERD = `import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
const miniflare = { compatibilityDate: '2026-08-01', compatibilityFlags: ['nodejs_compat'] }
export default defineConfig({ plugins: [cloudflareTest({ miniflare })], test: { maxWorkers: 1 } })
`

const NODE = {
  start: 'node --import tsx --env-file=.env MAIN',
  test: 'node --import tsx --test --test-force-exit TEST',
}
const BUN = { runner: 'bun', start: 'bun MAIN', test: 'bun test TEST' }

/**
 * What starts the server of a framework or a runtime, and runs its test. Other frameworks start as `add` says.
 *
 * @type {Readonly<Record<string, { runner?: string, start?: string, test?: string, files?: (plan: object) => Readonly<Record<string, string>> }>>}
 */
const HOSTS = {
  next: {
    // The packages of the checkout are outside of the project.
    files: () => ({ 'next.config.mjs': `export default { turbopack: { root: '${ROOT}' } }\n` }),
  },
  sveltekit: {
    files: ({ lines }) => ({
      'svelte.config.js': `export default { kit: {\n${lines?.text ?? ''}\n} }\n`,
    }),
  },
  bun: BUN,
  elysia: BUN,
  deno: {
    runner: 'deno',
    start: `deno serve --port 3000 --env-file ${ON_DENO} MAIN`,
    test: `deno test ${ON_DENO} --no-check TEST`,
  },
  workers: {
    runner: 'vitest',
    start: 'wrangler dev --port 3000 --inspector-port 0',
    test: 'vitest run',
    files: ({ main }) => ({
      'vitest.config.mjs': IN_WORKERD,
      'wrangler.jsonc': FRAMEWORKS.workers.settings['wrangler.jsonc'].replace('index.ts', main),
    }),
  },
}

export function hostOf({ framework, variation: { runtime = framework } }) {
  const { start } = FRAMEWORKS[framework]
  return { ...NODE, files: () => ({}), ...(start && { start }), ...HOSTS[runtime] }
}

/** Installs what these need, with the runtimes, and gives the variables with which they are found. */
export async function installHosts(folder, combinations) {
  const packages = combinations.map(({ framework }) => FRAMEWORKS[framework].packages)
  const names = packages.flatMap(({ run, develop }) => [...run, ...develop])
  const tests = { '@cloudflare/vitest-plugin': '1', vitest: '4' }
  await install(
    folder,
    { ...Object.fromEntries(names.map((name) => [name, '*'])), ...tests },
    {
      // Nobody has all of these in one project.
      flags: ['--force'],
    },
  )
  const runtimes = await installRuntimes(join(folder, 'runtimes'), [HOST, 'bun', 'deno'])
  const path = [
    ...runtimes.map(({ binary }) => dirname(binary)),
    join(folder, 'node_modules/.bin'),
    process.env.PATH,
  ]
  return { ...QUIET, DENO_NO_PACKAGE_JSON: '1', PATH: path.join(delimiter) }
}
