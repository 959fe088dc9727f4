/** How a program reads the quotes of a .env file. */
export type EnvReading = 'node' | 'dotenv'

/** A name, with what may be in front of it, up to its value. */
const KEYS: Readonly<Record<EnvReading, RegExp>> = {
  node: /^[ \t]*[^#\s=][^=\n]*=[ \t]*/,
  dotenv: /^[^\S\n]*(?:export\s+)?[\w.-]+(?:\s*=|:\s)\s*/,
}

/** A line that does not belong to the value of one above. */
export interface EnvEntry {
  /** Its index. */
  readonly line: number
  /** How many lines it takes, with those of a quoted value that ends further below. */
  readonly count: number
}

/**
 * The lines of a .env file, those of a value in several lines as one. Readers differ in where such a value
 * ends: for Node at the next quote; for the package dotenv rather not at one behind a backslash, and
 * never at one with more than a comment behind it.
 */
export function entries(text: string, reading: EnvReading): readonly EnvEntry[] {
  const found: EnvEntry[] = []
  let start = 0
  for (let line = 0; start <= text.length; ) {
    const end = endOfLine(text, endOfValue(text, start, reading))
    const count = text.slice(start, end).split('\n').length
    found.push({ line, count })
    start = end + 1
    line += count
  }
  return found
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** Where the quoted value of the line that begins at `start` ends; `start` where there is none. */
function endOfValue(text: string, start: number, reading: EnvReading): number {
  const [key = ''] = KEYS[reading].exec(text.slice(start)) ?? []
  const open = start + key.length
  const quote = text[open] ?? ''
  if (key === '' || !/["'`]/.test(quote)) return start
  const close = CLOSING[reading](text, quote, open + 1)
  return close < 0 ? start : close
}

/** Where a value ends whose quote was opened before `from`; -1 where it does not. */
type FindClosing = (text: string, quote: string, from: number) => number

const CLOSING: Readonly<Record<EnvReading, FindClosing>> = {
  node: (text, quote, from) => text.indexOf(quote, from),
  dotenv(text, quote, from) {
    let found = -1
    for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + 1)) {
      if (/^[^\S\n]*(?:#|\n|$)/.test(text.slice(at + 1))) found = at
      if (text[at - 1] !== '\\') break
    }
    return found
  },
}
