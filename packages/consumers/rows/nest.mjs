import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '@webhook-receiver/tools/step.mjs'
import { compile } from '../compile.mjs'
import { startNode, tryApplication } from '../deliver.mjs'
import { ours, versionOf } from '../install.mjs'
import { APPLICATIONS } from '../peers.mjs'

const TOOLS = { '@types/node': '20', 'reflect-metadata': '0.2', rxjs: '7', typescript: '5.9' }

/** What the application needs besides the platform. */
const PLATFORMS = {
  express: async () => ({ express: '5', '@types/express': '5' }),
  // Nest depends on one exact version. With another one beside it, the types of a plugin do not fit.
  async fastify(release) {
    const query = ['view', `@nestjs/platform-fastify@${release}`, 'dependencies.fastify', '--json']
    const versions = [JSON.parse(await run('npm', query))].flat()
    return { fastify: versions.at(-1) }
  },
}

/** Nest 12 is an ES module, which TypeScript 5.9 imports in `nodenext` only; applications on 11 are CommonJS. */
const RELEASES = {
  11: { module: 'commonjs', extension: 'ts', output: 'js' },
  12: { module: 'nodenext', extension: 'mts', output: 'mjs' },
}

export const nestRows = Object.keys(RELEASES).flatMap((release) =>
  Object.keys(PLATFORMS).map((platform) => ({
    name: `NestJS ${release}, platform-${platform}`,
    short: false,
    run: (context) => tryNest(context, release, platform),
  })),
)

async function tryNest(context, release, platform) {
  const { module, extension, output } = RELEASES[release]
  const nest = ['core', 'common', `platform-${platform}`].map((name) => `@nestjs/${name}`)
  const dependencies = {
    ...Object.fromEntries(nest.map((name) => [name, release])),
    ...ours([platform]),
    ...(await PLATFORMS[platform](release)),
    ...TOOLS,
  }
  const name = `nest-${platform}`
  const file = `${name}.${extension}`
  const folder = await context.installed(`${name}-${release}`, dependencies, {
    prepare: (where) => cp(join(APPLICATIONS, `${name}.ts`), join(where, file)),
  })
  const flags = ['--experimentalDecorators']
  const errors = await compile({ folder, module, files: [file], into: 'out', flags })
  const start = () => startNode({ cwd: folder, file: `out/${name}.${output}` })
  const { saw, problems } = await tryApplication(start)
  const versions = await Promise.all(
    ['@nestjs/core', platform].map(async (each) => `${each} ${await versionOf(folder, each)}`),
  )
  return { versions: versions.join(', '), saw, problems: [...errors, ...problems] }
}
