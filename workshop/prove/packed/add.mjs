// What `webhook-receiver add` writes: all of it compiles; drawn routes start, take what the vectors of their service hold, reject it when it
// was changed, and pass their own tests; and a new project on each framework does so as a user starts it.
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { flag, readCommandLine, wholeNumber } from '../command-line.mjs'
import { freePorts } from '../free-ports.mjs'
import { inTemporaryFolder } from '../pack.mjs'
import { DATABASE_URL, queryPostgres } from '../postgres.mjs'
import { startProgram } from '../program.mjs'
import { untilListening } from '../receive.mjs'
import { seeded } from '../seeded.mjs'
import { conclude, pairwise, run, step } from '../step.mjs'

const ROOT = new URL('../../../', import.meta.url)
const load = (path) => import(new URL(path, ROOT))
const { FRAMEWORKS, newProject, planFor, serviceOf } = await load('packages/cli/dist/add.js')
const schemes = { ...(await load('packages/schemes/dist/index.js')) }
const { awsSns } = await load('packages/schemes/dist/aws-sns.js')
const { livekit, qstash } = await load('packages/jwt/dist/index.js')
const { contract } = await load('packages/core/dist/internal.js')
const { serviceFile, withSamples } = await load('packages/schemes/dist/services.js')

const { short, seed } = readCommandLine(
  'prove -- add',
  'Tries what `webhook-receiver add` writes.',
  {
    short: flag('what every change has to pass: a draw, with what the checkout has installed'),
    seed: wholeNumber(Math.floor(Date.now() / 86_400_000), 'another draw'),
  },
)

/** Every service under the name that is imported. */
const SERVICES = [
  ...Object.entries(schemes).filter(([, each]) => each?.readHead && serviceFile(each.name)),
  ['awsSns', awsSns({ confirm: true })],
  ['contract', contract],
  ['livekit', livekit, '@webhook-receiver/jwt'],
  ['qstash', qstash, '@webhook-receiver/jwt'],
].map(([exported, scheme, from]) => serviceOf(exported, withSamples(scheme), from))

const COMMONJS = { dialect: { language: 'js', module: 'cjs', ending: '.js' } }
const JAVASCRIPT = { dialect: { language: 'js', module: 'esm', ending: '.js' } }

/** How a project can differ from a new one, by framework. */
const VARIATIONS = {
  express: [{}, COMMONJS, JAVASCRIPT],
  fastify: [{}, COMMONJS, JAVASCRIPT],
  hono: [{}, COMMONJS, { runtime: 'workers' }, { runtime: 'bun' }],
  koa: [{}, COMMONJS],
  node: [{}, COMMONJS],
  next: [{}, { layout: { root: 'src/', hasPagesOnly: true, platform: 'express' } }],
}

/** The frameworks that have both forms. */
const { FRAMEWORKS: FORMED } = await load('workshop/prove/lists.mjs')

/** What the checkout has not installed: the full run does. */
const ELSEWHERE = ['elysia']

/** What nothing here starts. */
const ONLY_COMPILED = [...ELSEWHERE, 'nuxt']

const all = SERVICES.flatMap((service) =>
  Object.keys(FRAMEWORKS).flatMap((framework) => {
    const hasInbox = framework !== 'workers' && service.reply === undefined
    const variations = VARIATIONS[framework] ?? [{}]
    return [
      ...variations,
      ...(hasInbox ? [{ kept: 'inbox' }] : []),
      ...(FORMED.includes(framework)
        ? variations.map((each) => ({ ...each, form: 'middleware' }))
        : []),
    ].map((variation) => ({ service, framework, variation }))
  }),
)
const here = all.filter(({ framework }) => !ELSEWHERE.includes(framework))

/** What decides which are drawn is printed, so that a run can be repeated. */
const random = seeded(seed)
const drawn = (from, count) =>
  from
    .map((each) => [random(), each])
    .sort(([one], [other]) => one - other)
    .slice(0, count)
    .map(([, each]) => each)

/** The files of a combination, in a folder of its own. */
async function written({ service, framework, variation }, folder) {
  const { kept, form, ...differences } = variation
  const project = { ...newProject(framework, 'node'), ...differences }
  const { files } = planFor(service, project, { kept, form })
  const isModule = project.dialect.module === 'esm'
  const all = {
    ...files,
    'package.json': JSON.stringify({ type: isModule ? 'module' : 'commonjs' }),
  }
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const names = Object.keys(files).filter((name) => /\.[jt]s$/.test(name))
  const test = names.find((name) => name.includes('.test.'))
  const route = names[0]
  return {
    route,
    test,
    server: names.find(
      (name) => /(?:^|\/)(?:index|main|server)\.[jt]s$/.test(name) && name !== route,
    ),
  }
}

async function compiles(folder, combinations) {
  for (const [at, each] of combinations.entries()) {
    const { route } = await written(each, join(folder, `${at}`))
    if (each.framework === 'sveltekit')
      await writeFile(join(folder, `${at}`, dirname(route), '$types.d.ts'), SVELTE_TYPES)
  }
  await writeFile(join(folder, 'nuxt.d.ts'), NUXT_TYPES)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER }))
  const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', ROOT))
  const found = await run(process.execPath, [tsc, '-p', folder]).then(
    () => [],
    ({ message }) => message.split('\n').filter((line) => line.includes('error TS')),
  )
  return found.map((line) => {
    const [, at] = /(?:^|\/)(\d+)\/[^(]*\(/.exec(line) ?? []
    return `${nameOf(combinations[at] ?? {})}: ${line}`
  })
}

const SVELTE_TYPES =
  'export type RequestHandler = (event: { request: Request }) => Promise<Response>\n'
const NUXT_TYPES =
  'declare function fromNodeMiddleware(listener: unknown): (event: { node: object }) => unknown\n'
const COMPILER = {
  ...{
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
  },
  ...{ skipLibCheck: true, types: ['node'], experimentalDecorators: true },
  ...{ emitDecoratorMetadata: true, noUnusedLocals: true, noUncheckedIndexedAccess: true },
}

function nameOf({ service, framework, variation }) {
  const { dialect, runtime, layout, kept, form } = variation ?? {}
  const language = dialect && `${dialect.language} ${dialect.module}`
  const more = [language, runtime, layout && 'pages', kept, form]
  return [service?.name, framework, ...more].filter(Boolean).join(' ')
}

/** Starts the server of a combination at the time of its vector, posts that, and runs the test that was written beside it. */
async function works(combination, folder) {
  const { service, framework } = combination
  const { route, test, server } = await written(combination, folder)
  const runTest = () =>
    run(process.execPath, [...TSX, '--test', '--test-force-exit', test], { cwd: folder }).then(
      () => [],
      ({ message }) => [message],
    )
  // A token of a vector would have expired.
  if (!service.hasSamples)
    return { name: nameOf(combination), saw: 'own test', problems: await runTest() }
  const { secret, headers, body, url } = await vectorOf(service)
  const [port] = await freePorts(1)
  const replace = async (file) => {
    const path = join(folder, file)
    const text = await readFile(path, 'utf8')
    const subscription = headers['x-mcp-subscription-id'] ?? 'sub_01'
    const registered = url ? text.replaceAll(/publicUrl: '[^']*'/g, `publicUrl: '${url}'`) : text
    await writeFile(
      path,
      registered.replaceAll('3000', `${port}`).replaceAll('sub_01', subscription),
    )
  }
  // Before the route gets the URL of the vector.
  const own = test ? await runTest() : []
  for (const file of [route, server].filter(Boolean)) await replace(file)
  const clock = join(folder, 'clock.mjs')
  await writeFile(
    clock,
    `const { now } = Date\nconst begun = now()\nDate.now = () => ${CLOCK} + now() - begun\n`,
  )
  const { runtime } = combination.variation
  const isServed = !server || framework === 'bun' || framework === 'workers' || runtime
  const main = join(folder, server ?? route)
  const args = isServed ? [SERVE, main, `${port}`] : [main]
  const program = startProgram(process.execPath, [...TSX, '--import', clock, ...args], {
    cwd: folder,
    env: { [service.variable]: secret, [service.tokenVariable ?? '_']: 'chosen', NODE_OPTIONS: '' },
  })
  const path =
    framework === 'next' && combination.variation.layout ? `/api${service.path}` : service.path
  const post = (bytes) =>
    fetch(`http://localhost:${port}${path}`, { method: 'POST', headers, body: bytes })
  try {
    await untilListening(port, program)
    const tampered = Buffer.from(body)
    tampered[tampered.length >> 1] ^= 1
    const [forged, valid] = [await post(tampered), await post(body)]
    assert.equal(forged.status, 401, `a tampered delivery gets ${forged.status}`)
    // Some vectors hold less than a delivery: their signature is accepted, and then their body is not.
    const text = await valid.text()
    const isAccepted = valid.ok || text.includes('invalid_delivery')
    assert.ok(isAccepted, `a valid delivery gets ${valid.status}: ${text}`)
    return {
      name: nameOf(combination),
      saw: `${valid.status}, 401${test ? ', own test' : ''}`,
      problems: own,
    }
  } catch (error) {
    const problem = `${error.message}\n${program.output().stderr}`
    return { name: nameOf(combination), problems: [problem] }
  } finally {
    await program.stop('SIGKILL')
  }
}

const TSX = ['--import', 'tsx']
const SERVE = fileURLToPath(new URL('../serve.mjs', import.meta.url))

/** When the vectors were signed, in milliseconds. */
const CLOCK = 1_795_392_000_000

/** A delivery that the service's SDK or a reference has signed. */
async function vectorOf({ name }) {
  const recorded = new URL(`packages/conformance/schemes/${name}.json`, ROOT)
  const { vectors } = JSON.parse(await readFile(recorded, 'utf8'))
  const vector = vectors.find((each) => each.valid && each.name.startsWith('plain'))
  const { headers, body } = vector
  const bytes = Buffer.from(body, 'base64')
  const type =
    headers['content-type'] ??
    (/^[[{]/.test(bytes) ? 'application/json' : 'application/x-www-form-urlencoded')
  return { ...vector, headers: { 'content-type': type, ...headers }, body: bytes }
}

console.log(`--seed ${seed}`)
// The inboxes have a schema of their own, which a connection finds by its options.
const schema = `add_${process.pid}`
const database = new URL(DATABASE_URL)
database.searchParams.set('options', `-csearch_path=${schema}`)
process.env.DATABASE_URL = database.href
await queryPostgres(`CREATE SCHEMA ${schema}`)
// A page of the Pages Router is a listener, which nothing here serves.
const running = here.filter(
  ({ service, framework, variation }) =>
    !ONLY_COMPILED.includes(framework) &&
    !variation.layout &&
    service.scheme?.call === service.scheme?.exported &&
    service.scheme,
)
// Inside the package, where the checkout has installed what is imported.
const PREFIX = fileURLToPath(new URL('../.add-', import.meta.url))
await inTemporaryFolder(async (folder) => {
  const compiled = short ? drawn(here, 60) : all
  if (!short) await run('npm', ['install', '--prefix', join(folder, 'compiled'), ...ELSEWHERE])
  const problems = await step(`${compiled.length} of ${all.length} compile`, () =>
    compiles(join(folder, 'compiled'), compiled),
  )
  const tried = drawn(running, short ? 8 : 80)
  const results = await step(`${tried.length} run`, () =>
    pairwise(tried, (each) => works(each, join(folder, `run-${tried.indexOf(each)}`))),
  )
  await queryPostgres(`DROP SCHEMA ${schema} CASCADE`)
  conclude([{ name: 'types', saw: `${compiled.length} applications`, problems }, ...results])
}, PREFIX)
