import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export const SECRET = 'whsec_0a1b2c3d4e5f60718293a4b5c6d7e8f9'

/** How long an example may take to start, in milliseconds. */
const START_TIME = 15_000

/** How an example ended, with all that it printed. */
export interface Ending {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunningProcess {
  /** What it has printed so far. */
  output(): Pick<Ending, 'stdout' | 'stderr'>
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ending>
}

export interface RunningExample extends RunningProcess {
  readonly port: number
}

const running = new Set<ChildProcess>()

/** Ends whatever a failed test has left. */
export function killExamples(): void {
  for (const child of running) child.kill('SIGKILL')
}

export function exampleDirectory(framework: string): string {
  return fileURLToPath(new URL(`../../../examples/${framework}`, import.meta.url))
}

/** Starts an example by the command of its `npm start` and waits for the port that it tells. */
export async function startExample(
  directory: string,
  { command = commandOf(directory, 'start'), secret = SECRET, env = {} } = {},
): Promise<RunningExample> {
  const started = run(directory, command, { ...env, WEBHOOK_SECRET: secret })
  const port = await started.told(/^Listening on http:\S*:(\d+)\//m)
  return { ...started, port: Number(port) }
}

/** Starts the worker of an example by the command of its `npm run worker` and waits until it is ready. */
export async function startWorker(directory: string, env = {}): Promise<RunningProcess> {
  const started = run(directory, commandOf(directory, 'worker'), env)
  await started.told(/^(Waiting) for /m)
  return started
}

/** Starts an example that is expected to end by itself. */
export function endOfExample(directory: string, secret: string | undefined): Promise<Ending> {
  return run(directory, commandOf(directory, 'start'), { WEBHOOK_SECRET: secret }).ended
}

/** A copy of an example somewhere else, with the same packages installed; gone when the test is over. */
export function copyExample(
  framework: string,
  rewrite: (source: string) => string = (source) => source,
): string {
  const directory = mkdtempSync(join(tmpdir(), `example-${framework}-`))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const original = exampleDirectory(framework)
  for (const file of ['package.json', 'tsconfig.json']) {
    cpSync(join(original, file), join(directory, file))
  }
  symlinkSync(join(original, 'node_modules'), join(directory, 'node_modules'))
  for (const file of readdirSync(original).filter((name) => name.endsWith('.ts'))) {
    const source = readFileSync(join(original, file), 'utf8')
    writeFileSync(join(directory, file), rewrite(source))
  }
  return directory
}

/** Checks the types of a copy by its own tsconfig.json and writes server.js beside server.ts. */
export function compile(directory: string): void {
  const compiler = join(directory, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '--noEmit', 'false'], {
    cwd: directory,
    stdio: 'inherit',
  })
}

/** The shell commands of an example's README that send a delivery. */
export function readmeCommands(framework: string): string {
  const readme = readFileSync(join(exampleDirectory(framework), 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block ?? '')
  return blocks.find((block) => block.includes('curl')) ?? ''
}

function commandOf(directory: string, script: string): string {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')).scripts[script]
}

type Environment = Readonly<Record<string, string | undefined>>

function run(directory: string, command: string, own: Environment) {
  // As a user's shell has it: what vitest sets changes what frameworks log.
  const { NODE_ENV, NODE_OPTIONS, WEBHOOK_SECRET, ...env } = process.env
  const [program, ...args] = command.split(' ')
  if (program !== 'node') throw new Error(`it should be a node command; it is: ${command}`)
  const child = spawn(process.execPath, args, {
    cwd: directory,
    env: { ...env, PORT: '0', ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const ended = new Promise<Ending>((resolve) => {
    child.once('close', (code) => {
      running.delete(child)
      resolve({ code, stdout, stderr })
    })
  })
  return {
    ended,
    output: () => ({ stdout, stderr }),
    stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
    /** Waits for what it says on standard error, and resolves to the first group. */
    told: (line: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`it did not tell ${line}:\n${stderr}`)),
          START_TIME,
        )
        child.stderr.on('data', () => {
          const found = line.exec(stderr)?.[1]
          if (found !== undefined) resolve(found)
        })
        child.once('close', () => {
          clearTimeout(timer)
          reject(new Error(`the example ended:\n${stderr}`))
        })
      }),
  }
}
