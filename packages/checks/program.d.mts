import type { ChildProcess } from 'node:child_process'

export interface Output {
  readonly stdout: string
  readonly stderr: string
}

/** How a program ended, with everything that it printed. */
export interface Ending extends Output {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Program {
  readonly child: ChildProcess
  readonly ended: Promise<Ending>
  /** What it has printed so far. */
  output(encoding?: BufferEncoding): Output
  /** Waits for a line on standard error; resolves to the first group of the pattern. */
  printed(pattern: RegExp): Promise<string | undefined>
  message(): Promise<unknown>
  kill(signal: NodeJS.Signals): void
  /** Sends a signal, later SIGKILL, and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ending>
}

export interface Application extends Program {
  readonly port: number
}

export interface ProgramOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly fourth?: 'ipc' | 'pipe'
  readonly group?: boolean
}

export interface ApplicationOptions extends ProgramOptions {
  readonly secret?: string | undefined
  /** @default 0, which is any free one */
  readonly port?: number
  /** @default Node */
  readonly command?: string
}

export function startProgram(
  command: string,
  args: readonly string[],
  options?: ProgramOptions,
): Program

export function startApplication(
  args: readonly string[],
  options?: ApplicationOptions,
): Promise<Application>

export function stopPrograms(signal?: NodeJS.Signals): Promise<void>
