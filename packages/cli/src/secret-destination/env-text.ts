import { isDeepStrictEqual, parseEnv } from 'node:util'
import { UsageError } from '../failure.ts'
import { type EnvEntry, entries } from './env-lines.ts'

/** Any name that a shell takes. */
export const VARIABLE: RegExp = /^[A-Za-z_]\w*$/

/**
 * The text of a .env file with one variable set, in the line where it stood or in a new last line. Every
 * other variable keeps its value, for Node and for the package dotenv.
 *
 * @throws UsageError where that would lose a value, or cannot be written.
 */
export function withVariable(
  text: string,
  name: string,
  value: string,
  { path, force }: { readonly path: string; readonly force: boolean },
): string {
  const lines = text.split('\n')
  const assignment = new RegExp(`^(\\s*(?:export\\s+)?${name}\\s*=)(.*?)(\\r?)$`)
  const readings = (['node', 'dotenv'] as const).map((reading) =>
    entries(text, reading).filter(({ line }) => assignment.test(lines[line] ?? '')),
  )
  const [places = [], others = []] = readings.map((found) => found.map(({ line }) => line))
  if (String(places) !== String(others)) throw unclear(path, name)
  const [place, another] = places
  if (another !== undefined) {
    throw new UsageError(`--dotenv: ${path} sets ${name} more than once: keep only one.`)
  }
  if (place === undefined) return checked(appended(text, `${name}=${quoted(value)}`))
  const [, left = '', before = '', end = ''] = assignment.exec(lines[place] ?? '') ?? []
  if (readings.flat().some(({ count }) => count > 1)) {
    throw new UsageError(
      `--dotenv: the value of ${name} in ${path} spans several lines: remove it first.`,
    )
  }
  if (!force && !/^\s*(?:''|""|``|)\s*(?:#.*)?$/.test(before)) {
    throw new UsageError(
      `--dotenv: ${path} already sets ${name}. Nothing was created or changed. Use another --env-var, or add --force to replace the value.`,
    )
  }
  return checked(lines.with(place, `${left}${quoted(value)}${end}`).join('\n'))

  /** Asks Node itself whether it reads the new value, and everything else as before. */
  function checked(edited: string): string {
    const isSet = parseEnv(edited)[name] === value
    const isSame = [otherVariables, longValues].every((read) =>
      isDeepStrictEqual(read(edited, name), read(text, name)),
    )
    if (isSet && isSame) return edited
    throw unclear(path, name)
  }
}

function otherVariables(text: string, name: string): object {
  // Node 22 and later leave `export` in a name whose value is empty at the end of a file.
  const isOther = ([key]: readonly [string, unknown]) => key.replace(/^export\s+/, '') !== name
  return Object.fromEntries(Object.entries(parseEnv(text)).filter(isOther))
}

/** The values in several lines: a quote that is added or removed may open or close one for dotenv. */
function longValues(text: string): readonly EnvEntry[] {
  return entries(text, 'dotenv').filter(({ count }) => count > 1)
}

function unclear(path: string, name: string): UsageError {
  return new UsageError(
    `--dotenv: ${path} has an unclosed quote or a line that is not NAME=value, so programs would read ${name} differently. Nothing was created or changed. Repair that line, or use another file.`,
  )
}

function appended(text: string, line: string): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  return text === '' || text.endsWith('\n')
    ? `${text}${line}${newline}`
    : `${text}${newline}${line}${newline}`
}

function quoted(value: string): string {
  if (/^[\w.+/=:-]+$/.test(value)) return value
  if (/^[\x20-\x7e]+$/.test(value) && !value.includes("'")) return `'${value}'`
  throw new Error('the secret has characters that a .env file cannot hold')
}
