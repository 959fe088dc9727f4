import { fileURLToPath } from 'node:url'
import { type Program, startProgram } from '@webhook-receiver/checks/program.mjs'
import { onTestFinished } from 'vitest'

/** The folder of the package, in which tsx is found. */
export const ROOT: string = fileURLToPath(new URL('..', import.meta.url))
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** What Node is given to run the CLI from its sources. */
export function cliArguments(args: readonly string[]): readonly string[] {
  return ['--conditions=@webhook-receiver/source', '--import', 'tsx', MAIN, ...args]
}

/** Starts the CLI as a separate process, from its sources, without colours. */
export function spawnCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Program {
  const options = { cwd: ROOT, env: { FORCE_COLOR: '', ...env } }
  const program = startProgram(process.execPath, cliArguments(args), options)
  onTestFinished(() => program.kill('SIGKILL'))
  return program
}
