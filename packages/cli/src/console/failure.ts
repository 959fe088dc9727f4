export { messageOf } from '@webhook-receiver/emulator/internal'

/** 0: success; 1: a check failed or a request was rejected; 2: the command line is invalid; 130: interrupted by Ctrl-C. */
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

/** Turns the TypeError of a library, which says what is wrong with an option, into a UsageError. */
export function asUsageError<Result>(check: () => Result): Result {
  try {
    return check()
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message)
    throw error
  }
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
