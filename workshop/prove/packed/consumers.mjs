// Applications that install the packed packages as a user does, outside this workspace. Each row can break while the others work.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { PEERS } from '../lists.mjs'
import { run } from '../step.mjs'
import { compile, kindsOf } from './compile.mjs'
import { tryEntries } from './entries.mjs'
import { ours } from './install.mjs'
import {
  ADAPTERS,
  compiled,
  compileTypeTests,
  ENDS,
  fileOf,
  isMain,
  runTests,
  TYPESCRIPTS,
  tryServer,
  withPeers,
  writeApplications,
} from './peers.mjs'
import { tryRows } from './rows.mjs'

/** The first Fastify rejects by another status, the first server of Hono takes no whole URL, and the first Express parses no text: before the receiver is asked. */
const NOT_ON_LOWEST = '^(?!fastify.*line-http-0-9:|hono.*path-whole-url:|.*parsers of main.ts)'

await tryRows('prove -- consumers', [
  { name: 'every entry point, by itself', short: true, run: (context) => tryEntries(context) },
  { name: 'the lowest frameworks', short: true, run: tryLowest },
  {
    name: 'the newest frameworks',
    short: true,
    run: (context) => tryFrameworks(context, 'newest'),
  },
  ...TYPESCRIPTS.map((line) => ({
    name: `TypeScript ${line}`,
    run: (context) => tryTypes(context, line),
  })),
  { name: 'Express and Jest, installed by npm', short: true, run: tryJest },
])

/** The application of each adapter as ESM and as CommonJS. */
async function tryFrameworks(context, end) {
  const { folder, into, problems } = await compiled(context, end, '5.9', 'nodenext')
  const results = []
  for (const adapter of ADAPTERS) {
    for (const kind of ['module', 'commonjs']) {
      const file = join(into, kind, `${fileOf(adapter)}.js`)
      if (isMain(adapter, kind)) results.push(await tryServer(folder, file))
    }
  }
  const found = results.flatMap((result) => result.problems)
  return { saw: `${results.length} servers`, problems: [...problems, ...found] }
}

/** Also with the tests of the adapters, as they are: `npm test` runs them with newer frameworks. */
async function tryLowest(context) {
  const servers = await tryFrameworks(context, 'lowest')
  const tests = await runTests(await withPeers(context, 'lowest'), NOT_ON_LOWEST)
  return {
    saw: `${servers.saw}, ${tests.saw}`,
    problems: [...servers.problems, ...tests.problems],
  }
}

/** The applications and the type tests in each setting of a TypeScript. */
async function tryTypes(context, line) {
  const settings = ENDS.flatMap((end) => ['nodenext', 'bundler'].map((module) => [end, module]))
  const problems = []
  for (const [end, module] of settings) {
    problems.push(...(await compiled(context, end, line, module)).problems)
    problems.push(...(await compileTypeTests(context, end, line, module)).problems)
  }
  return { saw: `${settings.length} settings`, problems }
}

/** The test that `add` writes, as CommonJS and as an ES module: Jest resolves imports itself. Everything is in one folder, as npm lays it out. */
async function tryJest(context) {
  const dependencies = {
    ...ours(['core', 'express']),
    ...PEERS.express,
    ...{ '@types/jest': '30', '@types/node': '20', jest: '30', typescript: '5.9' },
  }
  const folder = await context.installed('jest', dependencies, { manager: 'npm' })
  const problems = []
  for (const kind of kindsOf('nodenext')) {
    const files = await writeApplications(folder, kind, ['express'], 'jest')
    const flags = ['--types', 'node,jest']
    problems.push(...(await compile({ folder, files, into: 'out', flags })))
    await cp(join(folder, kind, 'package.json'), join(folder, 'out', kind, 'package.json'))
  }
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--rootDir', 'out']
  const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', CI: 'true' }
  // Jest prints all of it on standard error.
  const shell = `${[process.execPath, ...jest].join(' ')} 2>&1`
  const output = await run('sh', ['-c', shell], { cwd: folder, env }).catch(String)
  const [saw] = /Tests: +4 passed/.exec(output) ?? []
  return { saw, problems: saw ? problems : [...problems, output] }
}
