import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf as messageOfError } from '@webhook-receiver/emulator/internal'

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

/** A UsageError below which the usage of the command stands: what it is about is missing, or in the wrong place. */
export class OperandError extends UsageError {
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
    if (error instanceof TypeError)
      throw new UsageError(
        error.message.replace(/^`(tolerance|state|service|before|after|table)`/, '--$1'),
      )
    throw error
  }
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** What went wrong with a file, as a sentence without its full stop; else the message of the error. Some errors of Node do not name the file. */
export function messageOf(error: unknown, file?: string): string {
  const { code, path = file } = Object(error)
  const folder = code === 'ENOENT' && path ? dirname(path) : '.'
  if (!existsSync(folder)) return `the folder ${folder} does not exist`
  const what = path && FILE_ERRORS[code]
  if (what) return `${path} ${what}`
  return file === undefined ? messageOfError(error) : `${file}: ${messageOfError(error)}`
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read or written by you',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not a folder',
  EEXIST: 'exists already',
}
