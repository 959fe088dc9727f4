import { isDeepStrictEqual, parseEnv } from 'node:util'
import { parse as parseDotenv } from 'dotenv'
import { UsageError } from '../console/index.ts'

/** Any name that a shell takes. */
export const VARIABLE: RegExp = /^[A-Za-z_]\w*$/

/** Programs read a .env file in one of two ways, which differ in where a value of several lines ends. */
const READERS: readonly Reader[] = [parseEnv, parseDotenv]

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
  for (const read of READERS) {
    const before = read(text)[name] ?? ''
    if (before !== '' && !force) {
      throw new UsageError(
        `--dotenv: ${path} already sets ${name}. Nothing was created or changed. Use another --env-var, or add --force to replace the value.`,
      )
    }
    if (before.includes('\n')) {
      throw new UsageError(
        `--dotenv: the value of ${name} in ${path} spans several lines: remove it first.`,
      )
    }
  }
  const written = quoted(value)
  const assignment = new RegExp(`^(\\s*(?:export\\s+)?${name}\\s*=).*?(\\r?)$`)
  const lines = text.split('\n')
  const edits = lines.flatMap((line, at) => {
    const edited = line.replace(assignment, (_, left, end) => `${left}${written}${end}`)
    return edited === line ? [] : [lines.with(at, edited).join('\n')]
  })
  // The last assignment counts. What looks like one can also belong to the value of another variable.
  const edited = [...edits.reverse(), appended(text, `${name}=${written}`)].find((edit) =>
    READERS.every((read) => isDeepStrictEqual(known(read(edit)), wanted(known(read(text))))),
  )
  if (edited !== undefined) return edited
  throw new UsageError(
    `--dotenv: ${path} has an unclosed quote or a line that is not NAME=value, so programs would read ${name} differently. Nothing was created or changed. Repair that line, or use another file.`,
  )

  function wanted(variables: Variables): Variables {
    return { ...variables, [name]: value }
  }
}

type Variables = Readonly<Record<string, string | undefined>>

type Reader = (text: string) => Variables

/** Node 22 and later leave `export` in a name whose value is empty at the end of a file. */
function known(variables: Variables): Variables {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name.replace(/^export\s+/, ''), value]),
  )
}

function appended(text: string, line: string): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const start = text === '' || text.endsWith('\n') ? text : `${text}${newline}`
  return `${start}${line}${newline}`
}

function quoted(value: string): string {
  if (/^[\w.+/=:-]+$/.test(value)) return value
  if (/^[\x20-\x7e]+$/.test(value) && !value.includes("'")) return `'${value}'`
  throw new Error('the secret has characters that a .env file cannot hold')
}
