import { cp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../../step.mjs'
import { compile } from '../compile.mjs'
import { startNode, tryApplication } from '../deliver.mjs'
import { ours, versionOf } from '../install.mjs'
import { APPLICATIONS, PATIENT } from '../peers.mjs'

const TESTS = fileURLToPath(new URL('../../../nestjs/test', import.meta.url))

/** The lowest release of 11 that is supported, and the newest of each major. */
const RELEASES = ['11.0.0', '11', '12']

const PLATFORMS = ['express', 'fastify']

/** Applications on 11 are CommonJS. Nest 12 is an ES module, which TypeScript 5.9 imports in `nodenext` only. */
const MODULES = {
  11: { module: 'commonjs', extension: 'ts' },
  12: { module: 'nodenext', extension: 'cts' },
}

/** Decorators as Nest's own tsconfig.json has them: the types of parameters say what is injected. */
const FLAGS = ['--experimentalDecorators', '--emitDecoratorMetadata']

const TOOLS = {
  '@types/node': '20',
  'class-transformer': '0.5',
  'class-validator': '0.15',
  express: '5',
  'reflect-metadata': '0.2',
  rxjs: '7',
  typescript: '5.9',
  vitest: '4',
}

/** The tests of the package that run anywhere: the vectors first of all. */
const SUITES = ['conformance', 'module']

export const nestRows = RELEASES.flatMap((release) => [
  ...PLATFORMS.map((platform) => ({
    name: `NestJS ${release}, platform-${platform}`,
    short: false,
    run: (context) => tryNest(context, release, platform),
  })),
  {
    name: `NestJS ${release}, the tests of the package`,
    short: false,
    run: (context) => tryTests(context, release),
  },
])

function withNest(context, release) {
  return context.once(`nest ${release}`, () => {
    const names = ['core', 'common', 'testing', ...PLATFORMS.map((name) => `platform-${name}`)]
    const dependencies = {
      ...Object.fromEntries(names.map((name) => [`@nestjs/${name}`, release])),
      ...ours(['nestjs', 'conformance', 'core', 'node']),
      ...TOOLS,
    }
    return context.installed(`nest-${release}`, dependencies, { prepare: copySources })
  })
}

async function copySources(folder) {
  for (const extension of ['ts', 'cts']) {
    await cp(join(APPLICATIONS, 'nest.ts'), join(folder, `nest.${extension}`))
  }
  for (const file of await readdir(TESTS)) {
    if (['platforms.ts', ...SUITES.map((name) => `${name}.test.ts`)].includes(file)) {
      await cp(join(TESTS, file), join(folder, 'tests', file))
    }
  }
  const settings = { oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } } }
  await writeFile(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(settings)}\n`)
}

/** An application as a user writes it, compiled by TypeScript: a valid and a forged delivery, and a route without the guard. */
async function tryNest(context, release, platform) {
  const folder = await withNest(context, release)
  const { module, extension } = MODULES[Number.parseInt(release, 10)]
  const file = `nest.${extension}`
  const errors = await context.once(`nest ${release} compiled`, () =>
    compile({ folder, module, files: [file], into: 'out', flags: FLAGS }),
  )
  const start = (secret) =>
    startNode(secret, {
      cwd: folder,
      file: `out/nest.${extension.replace('ts', 'js')}`,
      args: [platform],
    })
  const { saw, problems } = await tryApplication(start, { parses: true, quiet: true })
  return { versions: await versionsOf(folder, platform), saw, problems: [...errors, ...problems] }
}

async function tryTests(context, release) {
  const folder = await withNest(context, release)
  const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' }
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', ...PATIENT]
  const output = await run(process.execPath, args, { cwd: folder, env }).catch((error) => error)
  if (output instanceof Error) return { problems: [output.message] }
  const cases = [...output.matchAll(/: (\d+ cases run, \d+ wrong)/g)].map(([, text]) => text)
  const tests = /Tests +(.*)/.exec(output)?.[1]
  return { versions: await versionsOf(folder), saw: [tests, ...cases].join('; '), problems: [] }
}

async function versionsOf(folder, platform) {
  const names = ['@nestjs/core', ...(platform ? [`@nestjs/platform-${platform}`] : [])]
  const versions = names.map(async (name) => `${name} ${await versionOf(folder, name)}`)
  return (await Promise.all(versions)).join(', ')
}
