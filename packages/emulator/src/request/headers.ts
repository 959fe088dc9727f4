/** A header as it is on the wire. */
export type Header = readonly [name: string, value: string]

/** The value of a header; values of the same name are joined, as Node's server does it. */
export function headerValue(headers: readonly Header[], wanted: string): string | undefined {
  const values = headers.flatMap(([name, value]) =>
    name.toLowerCase() === wanted.toLowerCase() ? [value] : [],
  )
  return values.length === 0 ? undefined : values.join(', ')
}

/** Names and values in turn, as `rawHeaders` has them. */
export function headerPairs(raw: readonly string[]): readonly Header[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []))
}

/** The headers with one value replaced where it stood, or added at the end. */
export function withHeader(
  headers: readonly Header[],
  name: string,
  value: string,
): readonly Header[] {
  const is = ([other]: Header) => other.toLowerCase() === name.toLowerCase()
  const first = headers.findIndex(is)
  if (first < 0) return [...headers, [name, value]]
  return headers.flatMap((header, index): Header[] =>
    is(header) ? (index === first ? [[header[0], value]] : []) : [header],
  )
}

/** The headers without some of them. `names` are in lower case. */
export function withoutHeaders(
  headers: readonly Header[],
  ...names: readonly string[]
): readonly Header[] {
  return headers.filter(([name]) => !names.includes(name.toLowerCase()))
}
