import type { Header } from '@webhook-receiver/emulator/internal'
import { UsageError } from '../console/index.ts'

/** What a request has before its body. */
export interface Head {
  readonly method: string
  /** `undefined` if the file has no request line. */
  readonly target?: string | undefined
  readonly headers: readonly Header[]
}

/** Reads "Name: value" lines, perhaps below a request line, as tools and logs show them. */
export function readHeaderFile(text: string): Head {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const [, method, target] = /^([A-Z]+) (\S+) HTTP\/\d/.exec(lines[0] ?? '') ?? []
  const headers = lines.slice(method === undefined ? 0 : 1).map((line, index): Header => {
    const [start = '', name] = /^(?:[<>] )?([!#$%&'*+.^_`|~\w-]+):[ \t]*/.exec(line) ?? []
    if (name === undefined) throw wrong(`line ${index + 1} is not "Name: value"`)
    return [name, line.slice(start.length, endWithoutSpace(line, start.length))]
  })
  if (headers.length === 0) throw wrong('the file contains no header')
  return { method: method ?? 'POST', target, headers }
}

/** Not by an expression that is tied to the end: it tries each space as the first, and a value may be all spaces. */
function endWithoutSpace(line: string, start: number): number {
  let end = line.length
  while (end > start && /[ \t]/.test(line.charAt(end - 1))) end--
  return end
}

function wrong(what: string): UsageError {
  return new UsageError(`--headers: ${what}.`)
}
