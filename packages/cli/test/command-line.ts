import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** The folder of the package, in which tsx is found. */
export const ROOT: string = fileURLToPath(new URL('..', import.meta.url))
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** The CLI as a separate process, from its sources. */
export interface CliProcess {
  readonly child: ChildProcess
  readonly ended: Promise<{
    readonly code: number | null
    readonly out: string
    readonly err: string
  }>
  until(pattern: RegExp): Promise<RegExpExecArray>
}

/** What Node is given to run the CLI from its sources. */
export function cliArguments(args: readonly string[]): readonly string[] {
  return ['--conditions=@webhook-receiver/source', '--import', 'tsx', MAIN, ...args]
}

/** Starts the CLI; `wrapper` is a command that is given the one of the CLI. */
export function spawnCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  wrapper: readonly string[] = [],
): CliProcess {
  const { PATH, HOME, TMPDIR } = process.env
  const [program = '', ...rest] = [...wrapper, process.execPath, ...cliArguments(args)]
  const child = spawn(program, rest, {
    cwd: ROOT,
    env: { PATH, HOME, TMPDIR, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const seen = { out: '', err: '' }
  child.stdout?.on('data', (chunk) => {
    seen.out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    seen.err += chunk
  })
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, ...seen }))
  })
  return {
    child,
    ended,
    async until(pattern) {
      for (;;) {
        const found = pattern.exec(seen.out + seen.err)
        if (found) return found
        if (child.exitCode !== null) throw new Error(`It ended: ${seen.out}${seen.err}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
  }
}
