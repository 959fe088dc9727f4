// What `webhook-receiver add` writes: drawn routes, or all of them, compile and start, take a delivery of their service, reject it when it was
// changed, and pass their own tests.
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

const { seed, all, only } = readCommandLine(
  'prove -- add',
  'Tries a draw of what `webhook-receiver add` writes, with what the checkout has installed.',
  {
    all: flag('every combination instead, on its own framework and runtime'),
    only: text('with --all: those that have it in their name, such as stripe or "express inbox"'),
    seed: wholeNumber(Math.floor(Date.now() / 86_400_000), 'another draw'),
  },
)
if (only && !all) usageError('--only is for --all.')

/** What needs a framework that the checkout has not installed, its own project, or somebody else's signature. */
const isDrawn = ({ service, framework, variation }) =>
  !['elysia', 'nuxt'].includes(framework) &&
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

/** Those that start together. */
function groupsOf(combinations) {
  const kinds = new Map()
  for (const each of combinations)
    kinds.set(kindOf(each), [...(kinds.get(kindOf(each)) ?? []), each])
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
  if (output && found.length === 0) return [output]
  return found.map((line) => {
    const [, at] = /(?:^|\/)(\d+)\/[^(]*\(/.exec(line) ?? []
    return at ? `${nameOf(combinations[at])}: ${line}` : line
  })
}

const SVELTE_TYPES =
  'export type RequestHandler = (event: { request: Request }) => Promise<Response>\n'
const NUXT_TYPES =
  'declare function fromNodeMiddleware(listener: unknown): (event: { node: object }) => unknown\n'
const COMPILER = {
  ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', types: ['node'] },
  ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
  ...{ experimentalDecorators: true, emitDecoratorMetadata: true },
  ...{ noUnusedLocals: true, noUncheckedIndexedAccess: true },
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
  const env = all ? await step('install', () => installHosts(folder, asked)) : {}
  const here = COMBINATIONS.filter(({ framework }) => framework !== 'elysia')
  const compiled = all ? asked : drawn(here, 60)
  const problems = await step(`${compiled.length} of ${COMBINATIONS.length} compile`, () =>
    compiles(join(folder, 'compiled'), compiled),
  )
  const groups = all
    ? groupsOf(asked)
    : drawn(COMBINATIONS.filter(isDrawn), 8).map((each) => [each])
  const ports = await freePorts(groups.flat().length)
  const tried = async (group, at) => {
    const options = { folder: join(folder, `run-${at}`), ports: ports.splice(0, group.length), env }
    await mkdir(options.folder)
    if (!all) return tryGroup(group, options)
    const host = hostOf(group[0])
    return step(`${group.length} on ${kindOf(group[0])}`, () =>
      tryGroup(group, { ...options, host }),
    )
  }
  const results = await step(`${groups.flat().length} run`, () =>
    pairwise([...groups.entries()], ([at, group]) => tried(group, at)),
  )
  await queryPostgres(`DROP SCHEMA ${schema} CASCADE`)
  const types = { name: 'types', saw: `${compiled.length} applications`, problems }
  const shown = results.flat()
  conclude([types, ...(all ? shown.filter((each) => each.problems.length > 0) : shown)])
}, PREFIX)
