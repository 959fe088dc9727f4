import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../step.mjs'
import { compile, extensionsOf } from '../compile.mjs'
import { ours, versionOf } from '../install.mjs'
import { APPLICATIONS } from '../peers.mjs'

/** What a user's test needs, whatever runs it. */
const TOOLS = {
  express: '5',
  '@types/express': '5',
  '@types/node': '20',
  supertest: '7',
  '@types/supertest': '7',
  typescript: '5.9',
}

const JEST = { jest: '30', '@jest/globals': '30' }
const RUN_JEST = ['node_modules/jest/bin/jest.js', '--rootDir']

const TSCONFIG = { module: 'commonjs', esModuleInterop: true, strict: true, types: ['node'] }
const TS_JEST = { transform: { '\\.ts$': ['ts-jest', { tsconfig: TSCONFIG }] } }

/**
 * How a user's test runs: where `test` is imported from, the setting in which it is compiled unless the runner does
 * that, and the command, in front of the folder of the test or its file.
 */
const RUNNERS = {
  'Jest, CommonJS': {
    from: '@jest/globals',
    tools: JEST,
    module: 'commonjs',
    command: ({ root }) => [...RUN_JEST, root],
  },
  'Jest, ts-jest': {
    from: '@jest/globals',
    tools: { ...JEST, 'ts-jest': '29' },
    command: ({ root }) => [...RUN_JEST, root, '--config', JSON.stringify(TS_JEST)],
  },
  'Jest, native ESM': {
    from: '@jest/globals',
    tools: JEST,
    module: 'bundler',
    command: ({ root }) => ['--experimental-vm-modules', ...RUN_JEST, root],
  },
  Vitest: {
    from: 'vitest',
    tools: { vitest: '4' },
    command: () => ['node_modules/vitest/vitest.mjs', 'run'],
  },
  'node:test': {
    from: 'node:test',
    tools: {},
    module: 'nodenext',
    command: ({ root, test }) => ['--test', join(root, `${test}.mjs`)],
  },
}

/** The first one also runs a test that must fail. */
const [CONTROL] = Object.keys(RUNNERS)

/** A user's own test, which signs deliveries by core/testing and sends them by supertest, under each runner. */
export const testRunnerRows = [
  ...Object.keys(RUNNERS).map((name) => ({
    name,
    short: name === CONTROL,
    async run(context) {
      const { versions, failure } = await runTest(context, name, 'right')
      return { versions, saw: 'passes', problems: failure ? [failure.message] : [] }
    },
  })),
  {
    name: `${CONTROL}, a wrong expectation`,
    short: true,
    async run(context) {
      const { versions, failure } = await runTest(context, CONTROL, 'wrong')
      const reported = /strictly be equal to:\s+200\s+Received:\s+204/.test(failure?.message)
      const problems = reported ? [] : [failure?.message ?? 'the test passes all the same']
      return { versions, saw: 'fails', problems }
    },
  },
]

/** @param {'right' | 'wrong'} variant */
async function runTest(context, name, variant) {
  const { from, tools, module, command } = RUNNERS[name]
  const dependencies = { ...ours(['core', 'express']), ...TOOLS, ...tools }
  const folder = await context.installed(name.replace(/\W+/g, '-'), dependencies)
  const test = `${variant}.test`
  const file = `${test}.${module ? extensionsOf(module)[0] : 'ts'}`
  const source = await readFile(join(APPLICATIONS, 'user.test.ts'), 'utf8')
  const text = source.replace('@jest/globals', from)
  await writeFile(
    join(folder, file),
    variant === 'right' ? text : text.replace('(status, 204)', '(status, 200)'),
  )
  const root = module ? variant : '.'
  const errors = module ? await compile({ folder, module, files: [file], into: root }) : []
  const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', CI: 'true' }
  const failure = await run(process.execPath, command({ root, test }), { cwd: folder, env }).then(
    () => (errors.length > 0 ? new Error(errors.join('\n')) : undefined),
    (error) => error,
  )
  const versions = await Promise.all(
    Object.keys(tools)
      .filter((tool) => !tool.startsWith('@'))
      .map(async (tool) => `${tool} ${await versionOf(folder, tool)}`),
  )
  return { versions: versions.join(', '), failure }
}
