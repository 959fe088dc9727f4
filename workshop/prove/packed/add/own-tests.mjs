import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../../step.mjs'

const REPORTER = fileURLToPath(new URL('suites-reporter.mjs', import.meta.url))

/**
 * Runs the tests that were written beside the routes. Gives their problems, by file; a file without any has not run.
 *
 * @typedef {(files: readonly string[], options: { folder: string, env: NodeJS.ProcessEnv }) => Promise<Map<string, string[]>>} RunTests
 */

/** All in one process, in which each file is a suite. @type {RunTests} */
export async function onNode(files, { folder, env }) {
  const [program, output] = ['tests.mjs', 'tests.jsonl'].map((name) => join(folder, name))
  await writeFile(
    program,
    `import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'
for (const file of ${JSON.stringify(files)}) suite(file, () => import(pathToFileURL(file)))
`,
  )
  const args = ['--import', 'tsx', '--test-force-exit', '--test-reporter', REPORTER, program]
  await runIn(folder, process.execPath, args, { ...env, SUITES: output })
  const lines = await readFile(output, 'utf8').catch(() => '')
  const suites = lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  return new Map(suites.map(({ name, problems }) => [name, problems]))
}

/** Each by a command. @type {(...command: readonly string[]) => RunTests} */
export function oneByOne(command, ...args) {
  return async (files, { folder, env }) => {
    const found = new Map()
    for (const file of files) {
      const problem = await runIn(folder, command, [...args, file], env)
      found.set(file, problem ? [problem] : [])
    }
    return found
  }
}

/** In workerd, by Cloudflare's plugin. @type {RunTests} */
export async function inWorkerd(_, { folder, env }) {
  const output = join(folder, 'tests.json')
  await writeFile(
    join(folder, 'vitest.config.mjs'),
    `import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
const miniflare = { compatibilityDate: '2026-08-01', compatibilityFlags: ['nodejs_compat'] }
export default defineConfig({ plugins: [cloudflareTest({ miniflare })], test: { maxWorkers: 1 } })
`,
  )
  const reported = ['--reporter=json', `--outputFile=${output}`]
  const failed = await runIn(folder, 'vitest', ['run', ...reported], env)
  const { testResults } = JSON.parse(
    await readFile(output, 'utf8').catch(() => {
      throw new Error(failed)
    }),
  )
  return new Map(
    testResults.map(({ name, status, message, assertionResults }) => {
      const messages = assertionResults.flatMap((each) => each.failureMessages)
      return [name, status === 'passed' ? [] : [message, ...messages]]
    }),
  )
}

async function runIn(cwd, command, args, env) {
  const variables = { ...process.env, ...env, NODE_ENV: undefined }
  return run(command, args, { cwd, env: variables }).then(
    () => undefined,
    ({ message }) => message,
  )
}
