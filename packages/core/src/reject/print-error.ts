import { describeKind } from '../validate/describe.ts'
import { escapeControls, oneLine } from './log-line.ts'

/** Writes a line and an error to standard error, and never throws. */
export function printError(line: string, error: unknown, page = ''): void {
  try {
    console.error(`${line} ${describeError(error).stack}${page}`)
  } catch {
    // There is nowhere left to say it.
  }
}

/** What a log says of somebody else's error. */
export interface ErrorDescription {
  readonly name: string
  readonly message: string
  readonly code: string | undefined
  /** Several lines: the stacks and codes of the error, of its causes and of the errors in an AggregateError. */
  readonly stack: string
}

/** How many errors a description has, and how many characters of each. */
const MOST_ERRORS = 10
const MOST_CHARACTERS = 10_000

/**
 * Describes an error without its own properties, in which clients of HTTP and of databases keep what they were sent and their
 * credentials. Never throws, although reading an error may.
 *
 * A message may quote what anybody wrote: JSON.parse does so, and the text of a delivery is often a stranger's. So what would
 * move the cursor is written as an escape, and each line but the first is indented, to begin none as this library does.
 */
export function describeError(error: unknown): ErrorDescription {
  const seen = new Set<unknown>()
  const lines: string[] = []
  const add = (label: string, value: unknown): Parts => {
    seen.add(value)
    const parts = partsOf(value)
    lines.push(label + escapeControls(parts.stack.slice(0, MOST_CHARACTERS)))
    if (parts.code) lines.push(`code: ${parts.code}`)
    for (const inner of parts.inner) {
      if (seen.size < MOST_ERRORS && !seen.has(inner)) add('cause: ', inner)
    }
    return parts
  }
  const { inner: _, ...described } = add('', error)
  return { ...described, stack: lines.join('\n').replaceAll('\n', '\n    ') }
}

interface Parts extends ErrorDescription {
  readonly inner: readonly unknown[]
}

function partsOf(value: unknown): Parts {
  if (Object(value) !== value) return partsOf(textOnly(String(value)))
  try {
    // Not by its class: an error may come from another realm.
    const { stack, message, name, code, cause, errors } = value as Record<string, unknown>
    const title = typeof name === 'string' ? name : 'Not an Error'
    const text = typeof message === 'string' ? message : describeKind(value)
    const frames = typeof stack === 'string' ? stack : ''
    const inner = Array.isArray(errors) ? errors.slice(0, MOST_ERRORS) : []
    return {
      name: title,
      message: escapeControls(text),
      code: typeof code === 'string' || typeof code === 'number' ? oneLine(`${code}`) : undefined,
      // Some runtimes leave the message out of the stack, and so do all if it was changed later.
      stack: ownFirst(
        frames !== '' && frames.includes(text) ? frames : `${title}: ${text}\n${frames}`.trim(),
      ),
      inner: cause === undefined ? inner : [cause, ...inner],
    }
  } catch {
    return partsOf(textOnly('The error cannot be shown, because reading it throws another error.'))
  }
}

/** A stack with the frames of the application before those of libraries and of the runtime. */
function ownFirst(stack: string): string {
  const lines = stack.split('\n')
  const last = lines.findLastIndex((line) => !FRAME.test(line))
  const frames = lines.slice(last + 1)
  const others = frames.filter((frame) => FOREIGN.test(frame))
  const own = frames.filter((frame) => !FOREIGN.test(frame))
  return [...lines.slice(0, last + 1), ...own, ...others].join('\n')
}

const FRAME = /^\s+at /
const FOREIGN = /[\\/]node_modules[\\/]|\(node:|at node:|<anonymous>\)$/

function textOnly(text: string): object {
  return { name: 'Error', message: text, stack: text }
}
