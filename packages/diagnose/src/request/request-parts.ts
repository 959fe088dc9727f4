import type { HeaderLookup } from '@webhook-receiver/core'
import { strictTextOf } from '../text/encodings.ts'
import type { Pace } from '../text/pace.ts'
import { byteSlicesOf } from '../text/slices.ts'
import type { DiagnosisHeaders, DiagnosisInput } from './input.ts'

/** The largest body that is tried in other forms, in bytes. */
export const MAX_BODY = 1_048_576

/** How much of all lines of one header is read, in characters. */
export const MAX_HEADER = 2048

/** What a diagnosis reads of a request, once. */
export interface RequestParts {
  /** Reads one header, whose lines come joined. */
  readonly header: HeaderLookup
  /** The names of the headers, in lower case; none where they come as a look-up. */
  readonly names: readonly string[]
  readonly contentEncoding: string
  readonly contentLength: string
  readonly body: Uint8Array
  /** The body as text, a byte order mark included; `undefined` where it is not UTF-8, or too large. */
  readonly text: string | undefined
  /** The names of the headers of which only the beginning is read. */
  readonly cut: readonly string[]
}

/** Header names may be in any letter case. */
export async function readRequest(
  { headers, body = new Uint8Array(0) }: DiagnosisInput,
  pace: Pace,
): Promise<RequestParts> {
  const pairs = pairsOf(headers)
  const all = linesOf(headers, pairs)
  const cut: string[] = []
  const read = new Map<string, readonly string[]>()
  const lines = (anyCase: string): readonly string[] => {
    const name = anyCase.toLowerCase()
    const known = read.get(name)
    if (known) return known
    const whole = all(name)
    const beginning = beginningOf(whole)
    if (beginning.join().length < whole.join().length) cut.push(name)
    read.set(name, beginning)
    return beginning
  }
  return {
    header: (name) => lines(name).join(', ') || undefined,
    names: [...new Set(pairs.map(([name]) => name.toLowerCase()))].slice(0, MAX_NAMES),
    contentEncoding: lines('content-encoding').join(', ').toLowerCase(),
    contentLength: lines('content-length')[0] ?? '',
    body,
    text: body.length > MAX_BODY ? undefined : await textOf(body, pace),
    cut,
  }
}

function beginningOf(lines: readonly string[]): readonly string[] {
  let left = MAX_HEADER
  return lines.flatMap((line) => {
    const beginning = line.slice(0, left)
    // An empty line counts as well.
    left = Math.max(0, left - line.length - 1)
    return beginning || []
  })
}

async function textOf(bytes: Uint8Array, pace: Pace): Promise<string | undefined> {
  const parts: string[] = []
  for (const slice of byteSlicesOf(bytes)) {
    await pace(slice.length * 50)
    try {
      parts.push(strictTextOf(slice))
    } catch {
      return undefined
    }
  }
  return parts.join('')
}

/** The most headers that are looked at besides those that the service signs. */
const MAX_NAMES = 100

type Pairs = readonly (readonly [name: string, value: string | readonly string[] | undefined])[]

function pairsOf(headers: DiagnosisHeaders): Pairs {
  if (typeof headers === 'function') return []
  return Symbol.iterator in headers ? [...headers] : Object.entries(headers)
}

/** Gives all lines of one name; empty ones are left out. */
function linesOf(headers: DiagnosisHeaders, pairs: Pairs): (name: string) => readonly string[] {
  if (typeof headers === 'function') {
    return (name) => [headers(name)].filter(hasValue)
  }
  return (wanted) =>
    pairs
      .flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value].flat() : []))
      .filter(hasValue)
}

function hasValue(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
