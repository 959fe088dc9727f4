import { escapeControls } from './log-line.ts'

/**
 * Writes a line and an error to standard error, and never throws: printing an error runs its getters, its
 * `toString` and its `Symbol.for('nodejs.util.inspect.custom')`, and any of them may throw.
 *
 * A message may quote what anybody wrote: JSON.parse does so, and the text of a delivery is often a stranger's. So
 * where the error would move the cursor, or begin a line as this library does, it is written as escaped text.
 */
export function printError(line: string, error: unknown): void {
  try {
    const text = shown(error)
    const escaped = escapeControls(text)
    if (escaped === text && !FORGED_LINE.test(text)) console.error(line, error)
    else console.error(`${line} ${escaped.replaceAll('\n', '\n    ')}`)
  } catch {
    try {
      console.error(`${line} The error cannot be shown, because reading it throws another error.`)
    } catch {
      // There is nowhere left to say it.
    }
  }
}

const FORGED_LINE = /^\[webhook-receiver\]/m

/** As `console.error` shows it on Node, Deno and Bun: a string as it is. Elsewhere there is no terminal, and the stack has to do. */
function shown(error: unknown): string {
  if (typeof error === 'string') return error
  const util = Reflect.get(globalThis, 'process')?.getBuiltinModule?.('node:util')
  return util ? util.inspect(error) : String((error instanceof Error && error.stack) || error)
}
