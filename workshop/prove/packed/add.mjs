// What `webhook-receiver add` writes: it compiles, and in each form of each framework it starts, takes a delivery of a service, rejects it when it
// was changed, and passes its own test.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { flag, readCommandLine, text, wholeNumber } from '../command-line.mjs'
import { freePorts } from '../free-ports.mjs'
import { FRAMEWORKS } from '../lists.mjs'
import { inTemporaryFolder } from '../pack.mjs'
import { DATABASE_URL, queryPostgres } from '../postgres.mjs'
import { seeded } from '../seeded.mjs'
import { conclude, pairwise, run, step } from '../step.mjs'
import { COMBINATIONS, kindOf, nameOf, written } from './add/combinations.mjs'
import { tryCombination } from './add/trial.mjs'

const ROOT = new URL('../../../', import.meta.url)

const {
  seed,
  all,
  only = '',
} = readCommandLine(
  'prove -- add',
  'Compiles 60 drawn applications that `webhook-receiver add` writes, and starts 8, on what the checkout has installed.',
  {
    all: flag('compiles all instead, and starts one of each form of each framework'),
    only: text('those that have it in their name, such as stripe or "express inbox"'),
    seed: wholeNumber(Math.floor(Date.now() / 86_400_000), 'another draw'),
  },
)

/** What decides which are drawn is printed, so that a run can be repeated. */
const random = seeded(seed)
const shuffled = COMBINATIONS.filter((each) => nameOf(each).includes(only))
  .map((each) => [random(), each])
  .sort(([one], [other]) => one - other)
  .map(([, each]) => each)

/** Somebody else's signature is needed for others, and for some a call of their own. */
const isSendable = ({ service: { scheme } }) => scheme && scheme.call === scheme.exported

/** Those whose framework the checkout has installed: the packages import it there. */
const isHere = ({ framework, variation: { runtime } }) =>
  [...FRAMEWORKS, 'node', 'nestjs', 'aws-lambda'].includes(framework) && !runtime

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
  // Its types are not installed.
  const here = shuffled.filter(({ framework }) => framework !== 'elysia')
  const compiled = all ? here : here.slice(0, 60)
  const problems = await step(`${compiled.length} of ${COMBINATIONS.length} compile`, () =>
    compiles(join(folder, 'compiled'), compiled),
  )
  const sendable = shuffled.filter((each) => isSendable(each) && isHere(each))
  const kinds = new Map(sendable.map((each) => [kindOf(each), each]))
  const tried = all ? [...kinds.values()] : sendable.slice(0, 8)
  const ports = await freePorts(Math.max(tried.length, 10))
  const results = await step(`${tried.length} run`, () =>
    pairwise([...tried.entries()], async ([at, each]) => {
      const own = join(folder, `run-${at}`)
      await mkdir(own)
      return step(nameOf(each), () => tryCombination(each, { folder: own, port: ports[at] }))
    }),
  )
  await queryPostgres(`DROP SCHEMA ${schema} CASCADE`)
  const types = { name: 'types', saw: `${compiled.length} applications`, problems }
  conclude([types, ...results])
}, PREFIX)
