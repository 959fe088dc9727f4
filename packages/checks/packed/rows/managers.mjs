import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { PEERS, WITHOUT_PEER } from '../../lists.mjs'
import { compile } from '../compile.mjs'
import { startNode, tryApplication } from '../deliver.mjs'
import { ours, versionOf } from '../install.mjs'
import { ADAPTERS, APPLICATIONS } from '../peers.mjs'

const TOOLS = { '@types/node': '20', typescript: '5.9' }

export const managerRows = ['npm', 'pnpm'].flatMap((manager) =>
  ADAPTERS.map((framework) => ({
    name: `${manager}, ${framework} alone`,
    short: framework === 'express',
    run: (context) => tryAlone(context, manager, framework),
  })),
)

async function tryAlone(context, manager, framework) {
  const dependencies = { ...ours([framework]), ...PEERS[framework], ...TOOLS }
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
