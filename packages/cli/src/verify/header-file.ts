import type { Header } from '@webhook-receiver/emulator/internal'
import { UsageError } from '../console/index.ts'

/** What a request has before its body. */
export interface Head {
  readonly method: string
  /** `undefined` if the file has no request line. */
  readonly target?: string | undefined
  readonly headers: readonly Header[]
}

/**
 * Reads "Name: value" lines, perhaps below a request line, as tools and logs show them; or JSON: an
 * object, or a list of [name, value].
 */
export function readHeaderFile(text: string): Head {
  const json = /^\s*[[{]/.test(text)
  const head = json ? { method: 'POST', headers: readJson(text) } : readLines(text)
  if (head.headers.length === 0) throw wrong('the file contains no header')
  return head
}

function readLines(text: string): Head {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const [, method, target] = /^([A-Z]+) (\S+) HTTP\/\d/.exec(lines[0] ?? '') ?? []
  const headers = lines.slice(method === undefined ? 0 : 1).map((line, index): Header => {
    const [start = '', name] = /^(?:[<>] )?([!#$%&'*+.^_`|~\w-]+):[ \t]*/.exec(line) ?? []
    if (name === undefined) throw wrong(`line ${index + 1} is not "Name: value"`)
    return [name, line.slice(start.length, endWithoutSpace(line, start.length))]
  })
  return { method: method ?? 'POST', target, headers }
}

/** Not by an expression that is tied to the end: it tries each space as the first, and a value may be all spaces. */
function endWithoutSpace(line: string, start: number): number {
  let end = line.length
  while (end > start && /[ \t]/.test(line.charAt(end - 1))) end--
  return end
}

function readJson(text: string): readonly Header[] {
  const value = parseJson(text)
  const entries: readonly unknown[] = Array.isArray(value) ? value : Object.entries(Object(value))
  return entries.flatMap((entry): Header[] => {
    if (!Array.isArray(entry) || entry.length !== 2)
      throw wrong('it is not a list of [name, value]')
    const [name, values] = entry
    if (typeof name !== 'string') throw wrong('the name of a header is not a string')
    return [values].flat().map((value) => {
      if (typeof value !== 'string')
        throw wrong(`the value of ${JSON.stringify(name)} is not a string`)
      return [name, value]
    })
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong('it starts like JSON but is not valid JSON')
  }
}

function wrong(what: string): UsageError {
  return new UsageError(`--headers: ${what}.`)
}
