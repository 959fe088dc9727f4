// What `webhook-receiver add` writes: all of it compiles; drawn routes start, or all of them, take what the vectors of their service hold,
// reject it when it was changed, and pass their own tests.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { flag, readCommandLine, text, usageError, wholeNumber } from '../command-line.mjs'
import { freePorts } from '../free-ports.mjs'
import { inTemporaryFolder } from '../pack.mjs'
import { DATABASE_URL, queryPostgres } from '../postgres.mjs'
import { seeded } from '../seeded.mjs'
import { conclude, pairwise, run, step } from '../step.mjs'
import { COMBINATIONS, kindOf, nameOf, written } from './add/combinations.mjs'
import { hostOf, installHosts } from './add/hosts.mjs'
import { tryGroup } from './add/trial.mjs'

const ROOT = new URL('../../../', import.meta.url)

const { short, seed, all, only } = readCommandLine(
  'prove -- add',
  'Tries what `webhook-receiver add` writes.',
  {
    short: flag('what every change has to pass: a draw, with what the checkout has installed'),
    all: flag('starts every combination, on its own framework and runtime, and not only a draw'),
    only: text('with --all: those that have it in their name, such as stripe or "express inbox"'),
    seed: wholeNumber(Math.floor(Date.now() / 86_400_000), 'another draw'),
  },
)
if (only && !all) usageError('--only is for --all.')

/** What the checkout has not installed: the full run does. */
const ELSEWHERE = ['elysia']

/** What a draw does not start: that needs its own framework, or somebody else's signature. */
const isDrawn = ({ service, framework, variation }) =>
  ![...ELSEWHERE, 'nuxt'].includes(framework) &&
  !variation.layout &&
  service.scheme?.call === service.scheme?.exported &&
  service.scheme

/** What decides which are drawn is printed, so that a run can be repeated. */
const random = seeded(seed)
const drawn = (from, count) =>
  from
    .map((each) => [random(), each])
    .sort(([one], [other]) => one - other)
    .slice(0, count)
    .map(([, each]) => each)

/** As many servers as have their connections to PostgreSQL in one process. */
const MOST = 20

/** Those that start together: of one kind, and signed at one time. */
function groupsOf(combinations) {
  const kinds = new Map()
  for (const each of combinations) {
    const key = `${kindOf(each)}${each.service.name === 'aws-sns'}`
    kinds.set(key, [...(kinds.get(key) ?? []), each])
  }
  return [...kinds.values()].flatMap((group) => {
    if (hostOf(group[0]).isOne) return [group]
    const count = Math.ceil(group.length / MOST)
    return Array.from({ length: count }, (_, at) =>
      group.filter((_, index) => index % count === at),
    )
  })
}

/** The problems of those that do not compile. */
async function compiles(folder, combinations) {
  for (const [at, each] of combinations.entries()) {
    const { route } = await written(each, join(folder, `${at}`))
    if (each.framework === 'sveltekit')
      await writeFile(join(folder, `${at}`, dirname(route), '$types.d.ts'), SVELTE_TYPES)
  }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'nuxt.d.ts'), NUXT_TYPES)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER }))
  const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', ROOT))
  const output = await run(process.execPath, [tsc, '-p', folder]).then(
    () => '',
    ({ message }) => message,
  )
  const found = output.split('\n').filter((line) => line.includes('error TS'))
  if (output && found.length === 0) return [{ problem: output }]
  return found.map((line) => {
    const [, at] = /(?:^|\/)(\d+)\/[^(]*\(/.exec(line) ?? []
    return { combination: combinations[at], problem: line }
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
  ...{
    allowImportingTsExtensions: true,
    emitDecoratorMetadata: true,
    noUnusedLocals: true,
    noUncheckedIndexedAccess: true,
  },
}

/** How many of each framework have done what. */
function showCounts(compiled, wrong, results) {
  const frameworks = [...new Set(compiled.map(({ framework }) => framework))]
  const counts = frameworks.map((framework) => {
    const all = compiled.filter((each) => each.framework === framework)
    const tried = results.filter(({ combination }) => combination.framework === framework)
    const count = (what) => tried.filter(({ did }) => did[what]).length
    const failed = new Set(
      wrong.map((each) => each.combination).filter((each) => all.includes(each)),
    )
    const tested = tried.filter(({ combination }) => combination.service.signedBy !== 'nobody')
    return {
      framework,
      compiled: `${all.length - failed.size} of ${all.length}`,
      started: `${count('started')} of ${tried.length}`,
      ...{ took: count('took'), rejected: count('rejected') },
      'own test': `${count('passed')} of ${tested.length}`,
    }
  })
  console.table(counts)
}

console.log(`--seed ${seed}`)
// The inboxes have a schema of their own, which a connection finds by its options.
const schema = `add_${process.pid}`
const database = new URL(DATABASE_URL)
database.searchParams.set('options', `-csearch_path=${schema}`)
process.env.DATABASE_URL = database.href
await queryPostgres(`CREATE SCHEMA ${schema}`)
// Inside the package, where the checkout has installed what is imported.
const PREFIX = fileURLToPath(new URL('../.add-', import.meta.url))
await inTemporaryFolder(async (folder) => {
  const asked = COMBINATIONS.filter((each) => nameOf(each).includes(only ?? ''))
  const here = asked.filter(({ framework }) => !ELSEWHERE.includes(framework))
  const compiled = short ? drawn(here, 60) : asked
  const env = all ? await step('install', () => installHosts(folder, asked)) : {}
  if (!short && !all)
    await run('npm', ['install', '--prefix', join(folder, 'compiled'), ...ELSEWHERE])
  const wrong = await step(`${compiled.length} of ${COMBINATIONS.length} compile`, () =>
    compiles(join(folder, 'compiled'), compiled),
  )
  const groups = all
    ? groupsOf(asked)
    : drawn(COMBINATIONS.filter(isDrawn), short ? 8 : 80).map((each) => [each])
  const ports = await freePorts(groups.flat().length)
  const tried = async (group, at) => {
    const options = { folder: join(folder, `run-${at}`), ports: ports.splice(0, group.length), env }
    await mkdir(options.folder)
    const started = () => tryGroup(group, all ? { ...options, host: hostOf(group[0]) } : options)
    return all ? step(`${group.length} on ${kindOf(group[0])}`, started) : started()
  }
  const results = await step(`${groups.flat().length} run`, () =>
    pairwise([...groups.entries()], ([at, group]) => tried(group, at)),
  )
  await queryPostgres(`DROP SCHEMA ${schema} CASCADE`)
  const problems = wrong.map(({ combination, problem }) =>
    combination ? `${nameOf(combination)}: ${problem}` : problem,
  )
  const shown = results.flat()
  const types = { name: 'types', saw: `${compiled.length} applications`, problems }
  conclude([types, ...(all ? shown.filter((each) => each.problems.length > 0) : shown)])
  if (all) showCounts(compiled, wrong, shown)
}, PREFIX)
