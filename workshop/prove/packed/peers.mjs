import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../free-ports.mjs'
import { FRAMEWORKS, WITHOUT_PEER } from '../lists.mjs'
import { publicPackages } from '../pack.mjs'
import { receive } from '../receive.mjs'
import { run } from '../step.mjs'
import { compile, kindsOf } from './compile.mjs'

const PACKAGES = fileURLToPath(new URL('../../../packages/', import.meta.url))
const load = (path) => import(new URL(`../../../packages/${path}`, import.meta.url))
const { newProject, planFor, serviceOf } = await load('cli/dist/add.js')
const { contract } = await load('core/dist/internal.js')
const APPLICATIONS = fileURLToPath(new URL('applications/', import.meta.url))

/** The two ends of what the packages say they work with. */
export const ENDS = ['lowest', 'newest']

/** The packages that sit on a server. */
export const ADAPTERS = [...FRAMEWORKS, ...WITHOUT_PEER, 'nestjs']

/** The server of a new project of Nest is an ES module, which awaits its start; a module of Nest can be in a project of either kind. */
export const isMain = (adapter, kind) => adapter !== 'nestjs' || kind === 'module'

/** What `add` calls the file that is started. */
export const fileOf = (adapter) => `${adapter}/${adapter === 'nestjs' ? 'main' : 'server'}`

/** Decorators as Nest's own tsconfig.json has them: the types of parameters say what is injected. */
const DECORATORS = ['--experimentalDecorators', '--emitDecoratorMetadata']

export const TYPESCRIPTS = ['5.9', '6', '7']

/** What the applications and the tests import besides the packages and their peers. */
const TOOLS = {
  '@aws-sdk/client-dynamodb': '3',
  '@koa/bodyparser': '6',
  '@koa/router': '15',
  '@types/aws-lambda': '8',
  '@types/better-sqlite3': '7',
  // With node:sqlite.
  '@types/node': '22',
  '@types/pg': '8',
  arktype: '2',
  'class-transformer': '0.5',
  'class-validator': '0.15',
  pg: '8',
  'reflect-metadata': '0.2',
  // The first one that Nest takes has no types for `nodenext`.
  rxjs: '7',
  typescript: TYPESCRIPTS[0],
  valibot: '1',
  vitest: '4',
  zod: '4',
}

/** A folder with every public package, the peers of the adapters at one end of their ranges, the applications and tests. */
export async function withPeers(context, end) {
  const packages = await publicPackages()
  const adapters = packages.filter(({ folder }) => ADAPTERS.includes(folder))
  const peers = Object.assign({}, ...adapters.map(({ peerDependencies }) => peerDependencies))
  const nest = ['platform-express', 'platform-fastify', 'testing'].map((name) => [
    `@nestjs/${name}`,
    peers['@nestjs/core'],
  ])
  const versions = [...Object.entries(peers), ...nest].map(([name, range]) => [
    name,
    VERSION[end](range),
  ])
  const dependencies = {
    ...context.registry.packages,
    ...Object.fromEntries(versions),
    ...TOOLS,
  }
  return context.installed(end, dependencies, { prepare: copySources })
}

/** One version out of a range such as `^4.16.0 || ^5`. */
const VERSION = {
  lowest: (range) => [.../[\d.]+/.exec(range)[0].split('.'), '0', '0'].slice(0, 3).join('.'),
  newest: (range) => range.split('||').at(-1).trim(),
}

/** What `webhook-receiver add` writes for each adapter, by its middleware form if it has that, and tests of the packages, named for the package. */
async function copySources(folder) {
  for (const kind of kindsOf('nodenext')) {
    await writeApplications(folder, kind, ADAPTERS)
    for (const file of ['event-data.ts', 'declared.ts'])
      await cp(join(APPLICATIONS, file), join(folder, kind, file))
  }
  await copySuites(folder)
  await mkdir(join(folder, 'tests'))
  for (const file of [
    'application',
    'platforms',
    'module.test',
    'parsers.test',
    'start.test',
    'suites.test',
  ])
    await cp(
      join(PACKAGES, 'nestjs/test', `${file}.ts`),
      join(folder, 'tests/nestjs', `${file}.ts`),
    )
  // What contract exports is JSON: its type test is about its own sources.
  const names = (await readdir(PACKAGES)).filter((name) => !['contract', 'nestjs'].includes(name))
  for (const name of names) {
    const tests = join(PACKAGES, name, 'test')
    for (const file of await readdir(tests, { recursive: true }).catch(() => [])) {
      const runs = file === 'middleware.test.ts' && !WITHOUT_PEER.includes(name)
      if (!runs && !/\.test-d\.ts$/.test(file)) continue
      const copy = `${name}-${basename(file).replace(/-d\.ts$/, '-d.mts')}`
      await cp(join(tests, file), join(folder, 'tests', copy))
    }
  }
}

/** Writes what `add` writes for adapters: the route, and a server that listens at PORT, or with a `runner` the test. Gives the names of the files. */
export async function writeApplications(folder, kind, adapters, runner) {
  const files = Object.assign({}, ...adapters.map((name) => filesOf(name, kind, runner)))
  const manifest = { [`${kind}/package.json`]: JSON.stringify({ type: kind }) }
  for (const [name, text] of Object.entries({ ...files, ...manifest })) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return Object.keys(files)
}

function filesOf(adapter, kind, runner) {
  const module = kind === 'module' ? 'esm' : 'cjs'
  const dialect = { language: 'ts', module, ending: '.js' }
  const form = FRAMEWORKS.includes(adapter) ? 'middleware' : 'handler'
  const project = { ...newProject(adapter, runner ?? 'node'), dialect }
  const { files } = planFor(serviceOf('contract', contract), project, { form })
  return Object.fromEntries(
    Object.entries(files)
      .filter(([name]) => name.endsWith('.ts') && (runner || !name.includes('.test.')))
      .map(([name, text]) => [
        `${kind}/${adapter}/${name}`,
        text.replace(/\b3000\b/, 'Number(process.env.PORT)'),
      ]),
  )
}

/** The suites that the tests import, and the numbers and servers of those: not published. The suites are beside what is installed, where vitest compiles them. */
async function copySuites(folder) {
  for (const file of [
    'seeded.mjs',
    'seeded.d.mts',
    'serving.mjs',
    'serving.d.mts',
    'package.json',
  ]) {
    await cp(
      fileURLToPath(new URL(`../${file}`, import.meta.url)),
      join(folder, 'node_modules/@webhook-receiver/checks', file),
    )
  }
  // What undoes spies and clocks after each test, as in the repository.
  const setup = 'restore-after-test.ts'
  await cp(fileURLToPath(new URL(`../../../${setup}`, import.meta.url)), join(folder, setup))
  const config = {
    oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
    test: { setupFiles: `./${setup}` },
  }
  await writeFile(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}`)
  const suites = join(folder, 'suites')
  await cp(fileURLToPath(new URL('../../suites/src', import.meta.url)), join(suites, 'src'), {
    recursive: true,
  })
  const manifest = { name: '@webhook-receiver/suites', type: 'module', exports: './src/index.ts' }
  await writeFile(join(suites, 'package.json'), JSON.stringify(manifest))
  await symlink(suites, join(folder, 'node_modules', manifest.name))
}

/** Compiles the applications in one setting of one TypeScript, once. */
export function compiled(context, end, line, module) {
  return context.once(`${end}, ${line}, ${module}`, async () => {
    const kinds = kindsOf(module)
    const files = kinds.flatMap((kind) => [
      `${kind}/event-data.ts`,
      ...ADAPTERS.map((name) =>
        isMain(name, kind)
          ? `${kind}/${fileOf(name)}.ts`
          : `${kind}/${name}/webhooks/default.module.ts`,
      ),
    ])
    const flags = DECORATORS
    const result = await compileWith(context, { end, line, module, files, flags })
    // By itself: where pnpm installs, Express's own router has no type that declarations can name.
    const declared = await compileWith(context, {
      ...{ end, line, module },
      files: kinds.map((kind) => `${kind}/declared.ts`),
      flags: ['--declaration'],
    })
    for (const kind of kinds) {
      const manifest = join(kind, 'package.json')
      await cp(join(result.folder, manifest), join(result.folder, result.into, manifest))
    }
    return { ...result, problems: [...result.problems, ...declared.problems] }
  })
}

/** Compiles the type tests of the packages, which are ES modules. */
export async function compileTypeTests(context, end, line, module) {
  const tests = await readdir(join(await withPeers(context, end), 'tests'))
  const files = tests.filter((file) => file.endsWith('.test-d.mts')).map((file) => `tests/${file}`)
  // The suites, which some of them import, name their files with `.ts`.
  const flags = ['--rewriteRelativeImportExtensions']
  return compileWith(context, { end, line, module, files, flags })
}

async function compileWith(context, { end, line, module, files, flags }) {
  const folder = await withPeers(context, end)
  const into = `out/${line}-${module}`
  const tsc = await compilerOf(context, line)
  const found = await compile({ folder, tsc, module, files, into, flags })
  return { folder, into, problems: found.map((problem) => `${end}, ${module}: ${problem}`) }
}

/** That of the first line is installed beside the packages. */
async function compilerOf(context, line) {
  if (line === TYPESCRIPTS[0]) return undefined
  const folder = await context.installed(`typescript-${line}`, { typescript: line })
  return join(folder, 'node_modules/typescript/bin/tsc')
}

/** Runs the tests that were copied to a folder; vitest's own limits are too short for a busy machine. */
export async function runTests(folder, pattern) {
  const limits = ['testTimeout', 'hookTimeout', 'expect.poll.timeout'].map(
    (name) => `--${name}=300000`,
  )
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', '--no-isolate']
  const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' }
  const args = [...vitest, ...limits, '--testNamePattern', pattern]
  return run(process.execPath, args, { cwd: folder, env }).then(
    (output) => ({ saw: `${/Tests +(\d+ passed)/.exec(output)?.[1]}`, problems: [] }),
    (error) => ({ saw: '', problems: [error.message] }),
  )
}

/** Starts an application, and sends it a forged delivery and a valid one: the handler has to run once. */
export async function tryServer(folder, file) {
  try {
    const [port] = await freePorts(1)
    const env = { PORT: String(port) }
    const { runs, printed, saw } = await receive({ folder, env, port }, [file])
    const problems = runs === 1 ? [] : [`${file}: the handler ran ${runs} times`, printed.stderr]
    return { saw, problems }
  } catch (error) {
    return { saw: '', problems: [`${file}: ${error.message}`] }
  }
}
