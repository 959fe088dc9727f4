import { UsageError } from '../failure.ts'

/** Any name that a shell takes. */
export const VARIABLE: RegExp = /^[A-Za-z_]\w*$/

/**
 * The text of a .env file with one variable set, in the line where it stood or in a new last line.
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
  const places = [...lines.keys()].filter((index) => assignment.test(lines[index] ?? ''))
  const [place, another] = places
  if (another !== undefined) {
    throw new UsageError(`--dotenv: ${path} sets ${name} more than once: leave one.`)
  }
  if (place === undefined) return appended(text, `${name}=${quoted(value)}`)
  const [, left = '', before = '', end = ''] = assignment.exec(lines[place] ?? '') ?? []
  if (isOpen(before)) {
    throw new UsageError(
      `--dotenv: the value of ${name} in ${path} goes on over several lines: remove it first.`,
    )
  }
  if (!force && !/^\s*(?:''|""|)\s*(?:#.*)?$/.test(before)) {
    throw new UsageError(
      `--dotenv: ${path} sets ${name} already, and was left as it is. Nothing was created. Name another --env-var, or add --force to replace the value.`,
    )
  }
  return lines.with(place, `${left}${quoted(value)}${end}`).join('\n')
}

function appended(text: string, line: string): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  return text === '' || text.endsWith('\n')
    ? `${text}${line}${newline}`
    : `${text}${newline}${line}${newline}`
}

/** Whether a quote is opened and not closed. */
function isOpen(value: string): boolean {
  const quote = /^\s*(["'`])/.exec(value)?.[1]
  return quote !== undefined && value.trim().indexOf(quote, 1) < 0
}

function quoted(value: string): string {
  if (/^[\w.+/=:-]+$/.test(value)) return value
  if (/^[\x20-\x7e]+$/.test(value) && !value.includes("'")) return `'${value}'`
  throw new Error('the secret has characters that a .env file cannot hold')
}
