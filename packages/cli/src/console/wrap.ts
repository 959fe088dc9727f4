import { Help } from '@commander-js/extra-typings'
import { printable } from './printable.ts'

const WIDTH = 80

/** Lines of at most 80 columns, indented. */
export function wrap(text: string, indent: number): readonly string[] {
  const lines = new Help().boxWrap(printable(text), WIDTH - indent).split('\n')
  return lines.map((line) => ' '.repeat(indent) + line)
}
