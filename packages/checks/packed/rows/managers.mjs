import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { compile } from '../compile.mjs'
import { startNode, tryApplication } from '../deliver.mjs'
import { ours, versionOf } from '../install.mjs'
import { APPLICATIONS, FRAMEWORKS, WITHOUT_PEER } from '../peers.mjs'

/** What an application on each adapter has in its package.json besides the adapter: nothing of ours is in reach but that. */
const DEPENDENCIES = {
  express: { express: '5', '@types/express': '5' },
  fastify: { fastify: '5' },
  hono: { hono: '4', '@hono/node-server': '2' },
  koa: { koa: '3', '@types/koa': '3' },
  node: {},
  'aws-lambda': {},
}

const TOOLS = { '@types/node': '20', typescript: '5.9' }

export const managerRows = ['npm', 'pnpm'].flatMap((manager) =>
  FRAMEWORKS.map((framework) => ({
    name: `${manager}, ${framework} alone`,
    short: framework === 'express',
    run: (context) => tryAlone(context, manager, framework),
  })),
)

async function tryAlone(context, manager, framework) {
  const dependencies = { ...ours([framework]), ...DEPENDENCIES[framework], ...TOOLS }
  const file = `${framework}.mts`
  const folder = await context.installed(`${manager}-${framework}`, dependencies, {
    manager,
    prepare: (where) => cp(join(APPLICATIONS, `${framework}.ts`), join(where, file)),
  })
  const errors = await compile({ folder, module: 'nodenext', files: [file], into: 'out' })
  const start = (secret) => startNode(secret, { cwd: folder, file: `out/${framework}.mjs` })
  const { saw, problems } = await tryApplication(start, { parses: true })
  const name = WITHOUT_PEER.includes(framework) ? 'typescript' : framework
  return {
    versions: `${name} ${await versionOf(folder, name)}`,
    saw,
    problems: [...errors, ...problems],
  }
}
