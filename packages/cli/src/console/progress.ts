import type { Output } from './context.ts'
import { cut, printable } from './printable.ts'

/** Clears the line that the cursor is in. */
export const CLEAR_LINE = '\r\u001b[2K'

/** One line on a terminal that says how far a command has come. */
export interface Progress {
  /** Replaces the line. Not every call is shown. */
  update(text: string): void
  /** Removes the line, before something else is printed. */
  clear(): void
}

/** What takes less time needs no progress, and the pause between two lines, in milliseconds. */
const SHOWN = { after: 1000, every: 100 }

/** Shows progress on a terminal, and nothing elsewhere. */
export function progressOn(output: Output): Progress {
  let next = performance.now() + SHOWN.after
  let shown = false
  return {
    update(text) {
      if (output.isTTY !== true || performance.now() < next) return
      output.write(`${CLEAR_LINE}${cut(printable(text), (output.columns || 80) - 1)}`)
      next = performance.now() + SHOWN.every
      shown = true
    },
    clear() {
      if (shown) output.write(CLEAR_LINE)
      shown = false
    },
  }
}
