import { stripVTControlCharacters } from 'node:util'
import { Help } from '@commander-js/extra-typings'
import type { Output } from './context.ts'
import { printable } from './printable.ts'

/** How wide lines are at most: also a help text, so that nothing is cut on the smallest usual terminal. */
export const WIDTH = 80

/** How wide lines are on this output. */
export function widthOf({ columns }: Output): number {
  return Math.min(WIDTH, columns || WIDTH)
}

/** Lines of at most `width` columns, indented. */
export function wrap(text: string, indent: number, width: number = WIDTH): readonly string[] {
  const lines = new Help().boxWrap(printable(text), width - indent).split('\n')
  return lines.map((line) => ' '.repeat(indent) + line)
}

/** Writes text of ours: its first sentence, and below it what follows, such as the fix. No word in it can begin a line. */
export function tell(output: Output, text: string, mark = (line: string): string => line): void {
  const lines = text
    .trim()
    .replace(/([.?]) (?=[A-Z"`-])/, '$1\n')
    .split('\n')
  const [first = '', ...others] = lines.flatMap((line) => wrap(line.trim(), 2))
  output.write(`${[mark(first.slice(2)), ...others].join('\n')}\n`)
}

/** Both in one line, or the second below the first where a terminal would break the line within a word. */
export function beside(
  first: string,
  second: string,
  { isTTY, columns }: Output,
): readonly string[] {
  if (second === '') return [first.trimEnd()]
  const line = `${first}  ${second}`
  // A terminal may not know its width.
  const isTooLong = isTTY && stripVTControlCharacters(line).length > (columns || WIDTH)
  return isTooLong ? [first, `  ${second}`] : [line]
}

/** A time as the clock on the wall shows it, and the local web UI. */
export function wallClock(at: number): string {
  return new Date(at).toTimeString().slice(0, 8)
}

/** A number and what it counts. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
