import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from '../install.mjs'
import { HOST, installRuntimes } from '../runtimes/install.mjs'
import { FRAMEWORKS } from './combinations.mjs'
import { inWorkerd, oneByOne } from './own-tests.mjs'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const SERVE = fileURLToPath(new URL('../../serve.mjs', import.meta.url))

/**
 * What starts the servers of a group.
 *
 * @typedef {object} Host
 * @property {boolean} [isProject] whether all routes are files of one project
 * @property {boolean} [isOne] whether they are behind one port
 * @property {(entries: readonly object[]) => Readonly<Record<string, string>>} [files] what is written besides
 * @property {string} [runner] what runs the tests that are written; that of Node by default
 * @property {import('./own-tests.mjs').RunTests} [runTests]
 * @property {string} [build]
 * @property {(start: { port: number, preload: string, entries: readonly object[] }) => readonly string[]} start the command
 */

const served = (entries) =>
  entries.flatMap(({ where, server, route, port }) => [join(where, server ?? route), `${port}`])

/** @type {Host} */
export const NODE = {
  start: ({ preload, entries }) => [
    ...[process.execPath, '--import', 'tsx', '--import', preload, SERVE],
    ...served(entries),
  ],
}

const BUN = {
  runner: 'bun',
  runTests: oneByOne('bun', 'test'),
  start: ({ preload, entries }) => ['bun', '--preload', preload, SERVE, ...served(entries)],
}

/** Without the settings of the checkout, which Deno would rewrite as its own. */
const ON_DENO = ['--allow-all', '--quiet', '--no-config', '--node-modules-dir=manual']

const DENO = {
  runner: 'deno',
  runTests: oneByOne('deno', 'test', ...ON_DENO, '--no-check'),
  start: ({ preload, entries }) => [
    ...['deno', 'run', ...ON_DENO, '--preload', preload, SERVE],
    ...served(entries),
  ],
}

/** A Worker in front passes each request to the one of its path, with the secrets of all. */
const WORKERD = {
  runner: 'vitest',
  runTests: inWorkerd,
  isOne: true,
  files: (entries) => ({
    'index.js': `import './preload.mjs'
${entries.map(({ where, folder, server }, at) => `import worker${at} from './${relative(folder, join(where, server))}'`).join('\n')}

const workers = new Map([
${entries.map(({ path }, at) => `  ['${path}', worker${at}],`).join('\n')}
])

export default {
  fetch(request, env, context) {
    const worker = workers.get(new URL(request.url).pathname)
    return worker?.fetch(request, env, context) ?? new Response(null, { status: 404 })
  },
}
`,
    'wrangler.jsonc': FRAMEWORKS.workers.settings['wrangler.jsonc'].replace('index.ts', 'index.js'),
    '.dev.vars': entries
      .flatMap(({ env }) => Object.entries(env))
      .map(([name, value]) => `${name}=${JSON.stringify(value)}\n`)
      .join(''),
  }),
  start: ({ port }) => `wrangler dev --port ${port} --inspector-port 0`.split(' '),
}

const built = (build, start, files) => ({
  ...{ isProject: true, isOne: true, build, files },
  start: ({ port }) => start.replace('0000', `${port}`).split(' '),
})

/** By framework, where `--all` starts its servers, and where those of another runtime. */
const HOSTS = {
  next: built('next build', 'next start -p 0000', () => ({
    // The packages of the checkout are outside of the project.
    'next.config.mjs': `export default { turbopack: { root: '${ROOT}' } }\n`,
  })),
  sveltekit: built('vite build', 'vite preview --port 0000', (entries) => ({
    'svelte.config.js': `export default { kit: {
${entries.find(({ lines }) => lines)?.lines ?? ''}
} }\n`,
  })),
  nuxt: built('nuxt build', 'env PORT=0000 node .output/server/index.mjs'),
  elysia: BUN,
  bun: BUN,
  deno: DENO,
  workers: WORKERD,
}

/** @param {import('./combinations.mjs').Combination} combination */
export function hostOf({ framework, variation: { runtime } }) {
  return HOSTS[runtime] ?? HOSTS[framework] ?? NODE
}

/** Installs what the hosts of these combinations need, and gives the variables with which they are found. */
export async function installHosts(folder, combinations) {
  const hosted = combinations.filter((each) => hostOf(each) !== NODE)
  if (hosted.length === 0) return {}
  const packages = hosted.flatMap(({ framework }) => FRAMEWORKS[framework].packages)
  const names = packages.flatMap(({ run, develop }) => [...run, ...develop])
  const tests = hosted.some((each) => hostOf(each) === WORKERD) && {
    '@cloudflare/vitest-plugin': '1',
    vitest: '4',
  }
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
  return {
    ...{ CI: 'true', NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1' },
    ...{ WRANGLER_SEND_METRICS: 'false', DENO_NO_PACKAGE_JSON: '1', PATH: path.join(delimiter) },
  }
}
