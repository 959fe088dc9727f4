/** How deep a body may be nested to be written again. */
const MAX_DEPTH = 64

/** JSON with the tokens of its text: numbers keep their digits, strings their escapes, objects their order. */
export type JsonText =
  | { readonly kind: 'string' | 'other'; readonly token: string }
  | { readonly kind: 'array'; readonly items: readonly JsonText[] }
  | {
      readonly kind: 'object'
      readonly members: readonly (readonly [key: string, value: JsonText])[]
    }

/** How a writer of JSON puts space between tokens. */
export interface Spacing {
  readonly comma: string
  readonly colon: string
  /** What a line is indented by, a level; none where all stands on one line. */
  readonly indent?: string
}

const TOKEN = /[ \t\r\n]*("(?:[^"\\]|\\.)*"|[^\s",:[\]{}]+|[,:[\]{}])/y

/** Reads text that `JSON.parse` takes; `undefined` for any other, and for one that is nested too deep. */
export function readJsonText(text: string): JsonText | undefined {
  const pattern = new RegExp(TOKEN)
  const next = () => pattern.exec(text)?.[1] ?? ''

  function value(token: string, depth: number): JsonText {
    if (depth > MAX_DEPTH) throw new RangeError('nested too deep')
    if (token === '[')
      return { kind: 'array', items: listed(']', (first) => value(first, depth + 1)) }
    if (token === '{') {
      const members = listed('}', (key) => {
        next()
        return [key, value(next(), depth + 1)] as const
      })
      return { kind: 'object', members }
    }
    return { kind: token.startsWith('"') ? 'string' : 'other', token }
  }

  function listed<Item>(end: string, read: (first: string) => Item): readonly Item[] {
    const items: Item[] = []
    for (let token = next(); token !== end; token = next()) {
      items.push(read(token === ',' ? next() : token))
    }
    return items
  }

  try {
    JSON.parse(text)
    return value(next(), 0)
  } catch {
    return undefined
  }
}

/** Writes JSON with other spacing, with each string token as `string` gives it. */
export function writeJsonText(
  json: JsonText,
  spacing: Spacing,
  string: (token: string) => string,
): string {
  const { comma, colon, indent } = spacing
  const parts: string[] = []

  function write(value: JsonText, line: string): void {
    if (value.kind === 'array') {
      list('[', ']', value.items, line, (item, inner) => write(item, inner))
    } else if (value.kind === 'object') {
      list('{', '}', value.members, line, ([key, member], inner) => {
        parts.push(string(key), colon)
        write(member, inner)
      })
    } else {
      parts.push(value.kind === 'string' ? string(value.token) : value.token)
    }
  }

  function list<Item>(
    open: string,
    close: string,
    items: readonly Item[],
    line: string,
    writeItem: (item: Item, line: string) => void,
  ): void {
    const inner = indent === undefined ? '' : line + indent
    parts.push(open)
    for (const [at, item] of items.entries()) {
      parts.push(at === 0 ? '' : comma, inner)
      writeItem(item, inner)
    }
    parts.push(indent === undefined || items.length === 0 ? '' : line, close)
  }

  write(json, '\n')
  return parts.join('')
}

/** The same JSON with the members of each object in the order of their keys. */
export function sortedJsonText(json: JsonText): JsonText {
  if (json.kind === 'array') return { kind: 'array', items: json.items.map(sortedJsonText) }
  if (json.kind !== 'object') return json
  const members = json.members.map(([key, value]) => [key, sortedJsonText(value)] as const)
  return { kind: 'object', members: members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) }
}
