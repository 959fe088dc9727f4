/**
 * What the shell is told. 0: all is well; 1: what was asked about is wrong or was refused; 2: the command
 * line is invalid; 130: Ctrl-C before the work was done.
 */
export type ExitCode = 0 | 1 | 2 | 130

/** Ends a command with 1 and this message: what was seen, why, and what to do. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

/** Ends a command with 2: the command line, a file that it names or the environment is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Ends a command with 130. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor(consequence = '') {
    super(`Interrupted. ${consequence}`.trim())
  }
}

/** Runs what judges options: the libraries underneath say with a TypeError what to write instead. */
export function judged<Result>(judge: () => Result): Result {
  try {
    return judge()
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message)
    throw error
  }
}

/** What an error of the file system or the network says, without its stack. */
export function said(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
