import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const load = (path) => import(new URL(`../../../../packages/${path}`, import.meta.url))
const { newProject, planFor, serviceOf, tokenSchemes, ...add } = await load('cli/dist/add.js')
const { FRAMEWORKS } = add
const schemes = await load('schemes/dist/index.js')
const { awsSns } = await load('schemes/dist/aws-sns.js')
const { contract } = await load('core/dist/internal.js')
const { serviceFile } = await load('schemes/dist/services.js')

/** Every service under the name that is imported. */
const SERVICES = [
  ...Object.entries(schemes).filter(([, each]) => each?.readHead && serviceFile(each.name)),
  ['awsSns', awsSns({ confirm: true })],
  ['contract', contract],
  ...(await tokenSchemes())
    .filter(({ scheme }) => scheme.sign)
    .map(({ exported, scheme, from }) => [exported, scheme, from]),
].map(([exported, signer, from]) => ({ ...serviceOf(exported, signer, from), signer }))

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

/** Every service on every framework in every form. */
export const COMBINATIONS = SERVICES.flatMap((service) =>
  Object.keys(FRAMEWORKS).flatMap((framework) => {
    const hasInbox = framework !== 'workers' && service.reply === undefined
    const variations = VARIATIONS[framework] ?? [{}]
    return [
      ...variations,
      ...(hasInbox ? [{ kept: 'inbox' }] : []),
      ...(FRAMEWORKS[framework].middleware
        ? variations.map((each) => ({ ...each, form: 'middleware' }))
        : []),
    ].map((variation) => ({ service, framework, variation }))
  }),
)

/** The framework of a combination, with all that makes it another one but the service. */
export function kindOf({ framework, variation }) {
  const { dialect, runtime, layout, kept, form } = variation
  const language = dialect && `${dialect.language} ${dialect.module}`
  return [framework, language, runtime, layout && 'pages', kept, form].filter(Boolean).join(' ')
}

export function nameOf(combination) {
  return `${combination.service.name} ${kindOf(combination)}`
}

/** Writes the files of a combination, and gives the plan, with the names of the route and of its test. */
export async function written({ service, framework, variation }, folder) {
  const { kept, form, ...differences } = variation
  const project = { ...newProject(framework, 'node'), ...differences }
  const plan = planFor(service, project, { kept, form })
  const type = project.dialect.module === 'esm' ? 'module' : 'commonjs'
  const all = { ...plan.files, 'package.json': JSON.stringify({ type }) }
  for (const [name, text] of Object.entries(all)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  const [route, test] = plan.own.paths
  return { ...plan, route, test: plan.files[test] && test }
}
