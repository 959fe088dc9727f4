import { describeKind } from '../validate/describe.ts'
import { escapeControls, oneLine } from './log-line.ts'

/** Writes a line and an error to standard error, and never throws. */
export function printError(line: string, error: unknown): void {
  try {
    console.error(`${line} ${describeError(error).stack}`)
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
const BOUNDS = { errors: 10, characters: 10_000 }

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
    lines.push(label + escapeControls(parts.stack.slice(0, BOUNDS.characters)))
    if (parts.code !== undefined) lines.push(`code: ${parts.code}`)
    for (const inner of parts.inner) {
      if (seen.size < BOUNDS.errors && !seen.has(inner)) add('cause: ', inner)
    }
    return parts
  }
  const { name, message, code } = add('', error)
  return { name, message, code, stack: lines.join('\n').replaceAll('\n', '\n    ') }
}

interface Parts extends ErrorDescription {
  readonly inner: readonly unknown[]
}

function partsOf(value: unknown): Parts {
  if (Object(value) !== value) return textOnly(String(value))
  try {
    // Not by its class: an error may come from another realm.
    const { stack, message, name, code, cause, errors } = value as Record<string, unknown>
    const title = typeof name === 'string' ? name : 'Error'
    const text = typeof message === 'string' ? message : undefined
    const head =
      text === undefined ? `${describeKind(value)}, which is not an Error` : `${title}: ${text}`
    const inner = Array.isArray(errors) ? errors.slice(0, BOUNDS.errors) : []
    return {
      name: title,
      message: escapeControls(text ?? head),
      code: /^(string|number)$/.test(typeof code) ? oneLine(String(code)) : undefined,
      stack: stackWith(head, text, stack),
      inner: cause === undefined ? inner : [cause, ...inner],
    }
  } catch {
    return textOnly('The error cannot be shown, because reading it throws another error.')
  }
}

/** Some runtimes leave the message out of the stack, and so do all if it was changed later. */
function stackWith(head: string, message: string | undefined, stack: unknown): string {
  if (typeof stack !== 'string' || stack === '') return head
  return stack.includes(message ?? '') ? stack : `${head}\n${stack}`
}

function textOnly(text: string): Parts {
  return { name: 'Error', message: escapeControls(text), code: undefined, stack: text, inner: [] }
}
