import type { HeaderLookup } from '@webhook-receiver/core'

/** A header as it was on the wire. */
export type Header = readonly [name: string, value: string]

/** A look-up as Node's server does it: what comes twice is joined. */
export function lookUp(headers: readonly Header[]): HeaderLookup {
  return (wanted) => {
    const values = headers.flatMap(([name, value]) =>
      name.toLowerCase() === wanted.toLowerCase() ? [value] : [],
    )
    return values.length === 0 ? undefined : values.join(', ')
  }
}

/** Names and values in turn, as `rawHeaders` has them. */
export function headerPairs(raw: readonly string[]): readonly Header[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []))
}

/** The list with one header's value replaced where it stood, or added at the end. */
export function withHeader(headers: readonly Header[], name: string, value: string): Header[] {
  const is = ([other]: Header) => other.toLowerCase() === name.toLowerCase()
  const first = headers.findIndex(is)
  if (first < 0) return [...headers, [name, value]]
  return headers.flatMap((header, index): Header[] =>
    is(header) ? (index === first ? [[header[0], value]] : []) : [header],
  )
}

export function withoutHeaders(
  headers: readonly Header[],
  ...names: readonly string[]
): readonly Header[] {
  return headers.filter(([name]) => !names.includes(name.toLowerCase()))
}
