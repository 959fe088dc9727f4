import { Help } from '@commander-js/extra-typings'
import { printable } from './printable.ts'

/** How wide lines are at most: also a help text, so that nothing is cut on the smallest usual terminal. */
export const WIDTH = 80

/** Lines of at most 80 columns, indented. */
export function wrap(text: string, indent: number): readonly string[] {
  const lines = new Help().boxWrap(printable(text), WIDTH - indent).split('\n')
  return lines.map((line) => ' '.repeat(indent) + line)
}

/** Text of ours: its first sentence, and below it what follows, such as the fix. No word in it can begin a line. */
export function withHint(text: string): readonly string[] {
  const lines = text.replace(/([.?]) (?=[A-Z"`-])/, '$1\n').split('\n')
  const [first = '', ...others] = lines.flatMap((line) => wrap(line.trim(), 2))
  return [first.slice(2), ...others]
}
