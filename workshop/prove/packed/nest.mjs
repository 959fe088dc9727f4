import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from './compile.mjs'
import { ours } from './install.mjs'
import { APPLICATIONS, runTests, tryServer } from './peers.mjs'

const TESTS = fileURLToPath(new URL('../../../packages/nestjs/test', import.meta.url))

/** The lowest release that is supported, and the newest. */
const RELEASES = ['11.0.0', '12']

const PLATFORMS = ['express', 'fastify']

/** The tests that need no private package. */
const TESTED = ['conformance', 'parsers', 'module', 'start']

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

/** An application as a user writes it on each platform, and the tests of the package that run anywhere. */
export async function tryNest(context) {
  const saw = []
  const problems = []
  for (const release of RELEASES) {
    const folder = await install(context, release)
    const errors = await compile({ folder, files: ['nest.cts'], into: 'out', flags: FLAGS })
    problems.push(...errors)
    const results = []
    for (const platform of PLATFORMS)
      results.push(await tryServer(folder, ['out/nest.cjs', platform]))
    results.push(await runTests(folder))
    saw.push(`${release}: ${results.map((result) => result.saw).join(', ')}`)
    const found = results.flatMap((result) => result.problems)
    problems.push(...found.map((problem) => `NestJS ${release}: ${problem}`))
  }
  return { saw: saw.join('; '), problems }
}

function install(context, release) {
  const names = ['core', 'common', 'testing', ...PLATFORMS.map((name) => `platform-${name}`)]
  const dependencies = {
    ...Object.fromEntries(names.map((name) => [`@nestjs/${name}`, release])),
    ...ours(['nestjs', 'conformance', 'core', 'node']),
    ...TOOLS,
  }
  return context.installed(`nest-${release}`, dependencies, {
    async prepare(folder) {
      await cp(join(APPLICATIONS, 'nest.ts'), join(folder, 'nest.cts'))
      for (const file of ['platforms', 'application', ...TESTED.map((name) => `${name}.test`)]) {
        await cp(join(TESTS, `${file}.ts`), join(folder, 'tests', `${file}.ts`))
      }
      const settings = { oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } } }
      const code = `export default ${JSON.stringify(settings)}\n`
      await writeFile(join(folder, 'vitest.config.mjs'), code)
    },
  })
}
