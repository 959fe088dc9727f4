/** Where text goes: standard output, standard error, or a test's own stream. */
export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

/** Where replies to a prompt, and keys, come from. */
type Input = NodeJS.ReadableStream & {
  readonly isTTY?: boolean | undefined
  readonly setRawMode?: (raw: boolean) => unknown
}

/** What a command sees of the process that it runs in. A test makes its own. */
export interface CommandContext {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** What was typed behind the name of the program. */
  readonly args?: readonly string[]
  /** Aborted by Ctrl-C: a command then ends cleanly. */
  readonly signal: AbortSignal
  /** The clock: milliseconds since the epoch. */
  readonly now: () => number
}
