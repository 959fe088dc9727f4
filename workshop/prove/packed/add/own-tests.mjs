import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../../step.mjs'

const REPORTER = fileURLToPath(new URL('failures-reporter.mjs', import.meta.url))

/**
 * Runs the tests that were written beside the routes. Gives what failed.
 *
 * @typedef {(files: readonly string[], options: { folder: string, env: NodeJS.ProcessEnv }) => Promise<string[]>} RunTests
 */

/** All in one process. @type {RunTests} */
export async function onNode(files, { folder, env }) {
  const [program, output] = ['tests.mjs', 'failures.txt'].map((name) => join(folder, name))
  await writeFile(
    program,
    `import { pathToFileURL } from 'node:url'
for (const file of ${JSON.stringify(files)}) await import(pathToFileURL(file))
`,
  )
  const args = ['--import', 'tsx', '--test-force-exit', '--test-reporter', REPORTER, program]
  const failed = await runIn(folder, process.execPath, args, { ...env, FAILURES: output })
  return Promise.all(failed.map((message) => readFile(output, 'utf8').catch(() => message)))
}

/** Each by a command. @type {(...command: readonly string[]) => RunTests} */
export function oneByOne(command, ...args) {
  return async (files, { folder, env }) => {
    const failed = []
    for (const file of files) failed.push(...(await runIn(folder, command, [...args, file], env)))
    return failed
  }
}

/** In workerd, by Cloudflare's plugin. @type {RunTests} */
export async function inWorkerd(_, { folder, env }) {
  await writeFile(
    join(folder, 'vitest.config.mjs'),
    `import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
const miniflare = { compatibilityDate: '2026-08-01', compatibilityFlags: ['nodejs_compat'] }
export default defineConfig({ plugins: [cloudflareTest({ miniflare })], test: { maxWorkers: 1 } })
`,
  )
  return runIn(folder, 'vitest', ['run'], env)
}

async function runIn(cwd, command, args, env) {
  const variables = { ...process.env, ...env, NODE_ENV: undefined }
  return run(command, args, { cwd, env: variables }).then(
    () => [],
    ({ message }) => [message],
  )
}
