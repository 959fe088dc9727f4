import { joined, utf8 } from './encodings.ts'
import type { Pace } from './pace.ts'
import { betweenEscapes, MAX_FORM, SLICE, slicesOf } from './slices.ts'

/** The longest JSON that is written in every form, in characters: a form costs up to 0.1 s. */
export const MAX_JSON = 131_072

/** How many tokens are read: arrays of more take long to be grown and to be collected. */
const MAX_TOKENS = 200_000

/** How deep a body may be nested to be written again. */
const MAX_DEPTH = 64

/** The largest object whose keys are sorted, in members. */
const MAX_SORTED = 8192

/** The cost of a token, of a character that is read or written, and of a step. */
const TOKEN_COST = 300
const READ_COST = 30
const WRITE_COST = 70
const MAX_COST = 400_000

/** JSON as the tokens of its text: numbers keep their digits, strings their escapes, objects their order. */
export interface JsonText {
  readonly tokens: readonly string[]
  /** The tokens and the white space between them; of short JSON only. */
  readonly spaced: readonly string[]
  /** Whether it is at most `MAX_JSON` characters long, and so valid for certain. */
  readonly short: boolean
}

/** How a writer of JSON puts space between tokens. */
export interface Spacing {
  readonly comma: string
  readonly colon: string
  /** The indentation of one level; `undefined` where all is on one line. */
  readonly indent?: string
}

/** How a writer of JSON writes strings and numbers. */
export interface TokenStyle {
  /** Turns a string token into the text that `write` is given. */
  readonly read?: (token: string) => string
  /** Writes that text, which may come in slices that cut no escape. */
  readonly write?: (text: string) => string
  readonly number?: (token: string) => string
}

const TOKEN = /[ \t\r\n]+|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s",:[\]{}]+|[,:[\]{}]/y

/** Reads text that may be JSON; `undefined` for what is not, and for too many tokens or too deep ones. */
export async function readJsonText(text: string, pace: Pace): Promise<JsonText | undefined> {
  const short = text.length <= MAX_JSON
  await pace(text.length * 2)
  if (short && !isJson(text)) return undefined
  const pattern = new RegExp(TOKEN)
  const spaced: string[] = []
  const tokens: string[] = []
  let depth = 0
  let cost = 0
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    const token = nextToken(pattern, text)
    if (token === undefined) return undefined
    if (short) spaced.push(token)
    if (isSpace(token)) continue
    tokens.push(token)
    if (tokens.length > MAX_TOKENS) return undefined
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    if (depth < 0 || depth > MAX_DEPTH) return undefined
    cost += TOKEN_COST + token.length
    if (cost > MAX_COST) {
      await pace(cost)
      cost = 0
    }
  }
  return depth === 0 && tokens.length > 0 ? { tokens, spaced, short } : undefined
}

/**
 * Writes tokens with other spacing, or without spacing of its own. `undefined` for more than `MAX_FORM` bytes, and for a
 * string token that cannot be read.
 */
export async function writeJsonText(
  tokens: Iterable<string>,
  spacing: Spacing | undefined,
  style: TokenStyle,
  pace: Pace,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  let text = ''
  let cost = 0

  /** Whether the form is still small enough. */
  function flush(): boolean {
    const bytes = utf8(text)
    parts.push(bytes)
    length += bytes.length
    text = ''
    return length <= MAX_FORM
  }

  async function step(more: number): Promise<void> {
    cost += more
    if (cost <= MAX_COST) return
    await pace(cost)
    cost = 0
  }

  for (const token of spacing ? withSpacing(tokens, spacing) : tokens) {
    await step(TOKEN_COST * (token.startsWith('"') ? 5 : 1) + token.length * READ_COST)
    for (const written of writeToken(token, style)) {
      if (written === undefined) return undefined
      text += written
      if (text.length <= SLICE) continue
      await step(text.length * WRITE_COST)
      if (!flush()) return undefined
    }
  }
  return flush() ? joined(...parts) : undefined
}

/** The same JSON with the members of each object in the order of their keys; `undefined` where one has too many. */
export async function sortedTokens(
  tokens: readonly string[],
  pace: Pace,
): Promise<readonly string[] | undefined> {
  const outer: Container = { open: '', items: [] }
  const containers = [outer]
  let current = outer
  let cost = 0
  for (const token of tokens) {
    cost += TOKEN_COST
    if (token === '[' || token === '{') {
      const inner: Container = { open: token, items: [] }
      current.items.push(inner)
      containers.push(inner)
      current = inner
    } else if (token === ']' || token === '}') {
      if (token === '}') {
        if (current.items.length > 2 * MAX_SORTED) return undefined
        await pace(cost + current.items.length * TOKEN_COST)
        cost = 0
        sortMembers(current.items)
      }
      containers.pop()
      current = containers.at(-1) ?? outer
    } else if (token !== ',' && token !== ':') current.items.push(token)
  }
  await pace(tokens.length * TOKEN_COST * 0.1)
  const sorted: string[] = []
  for (const item of outer.items) appendTo(sorted, item)
  return sorted
}

/** `[`, `{` or nothing, and the items inside: in an object its keys and values in turn. */
interface Container {
  readonly open: string
  readonly items: (string | Container)[]
}

function sortMembers(items: (string | Container)[]): void {
  const members: (readonly [key: string, value: string | Container])[] = []
  for (let at = 0; at + 1 < items.length; at += 2) {
    members.push([String(items[at]), items[at + 1] ?? ''])
  }
  members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  for (const [at, [key, value]] of members.entries()) {
    items[2 * at] = key
    items[2 * at + 1] = value
  }
}

function appendTo(tokens: string[], item: string | Container): void {
  if (typeof item === 'string') {
    tokens.push(item)
    return
  }
  const { open, items } = item
  tokens.push(open)
  for (const [at, inner] of items.entries()) {
    const isValue = open === '{' && at % 2 === 1
    if (at > 0) tokens.push(isValue ? ':' : ',')
    appendTo(tokens, inner)
  }
  tokens.push(open === '{' ? '}' : ']')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** `undefined` also where a token is too long for the engine. */
function nextToken(pattern: RegExp, text: string): string | undefined {
  try {
    return pattern.exec(text)?.[0]
  } catch {
    return undefined
  }
}

function isSpace(token: string): boolean {
  const code = token.charCodeAt(0)
  return code === 0x20 || (code >= 9 && code <= 13)
}

/** The tokens with the spacing of a writer between them. There is none inside an empty container. */
function* withSpacing(
  tokens: Iterable<string>,
  { comma, colon, indent }: Spacing,
): Iterable<string> {
  let line = '\n'
  let opened = false
  for (const token of tokens) {
    const closes = token === ']' || token === '}'
    if (closes && indent !== undefined) line = line.slice(0, line.length - indent.length)
    if (indent !== undefined && opened !== closes) yield line
    opened = token === '[' || token === '{'
    if (opened && indent !== undefined) line += indent
    if (token === ',') {
      yield comma
      if (indent !== undefined) yield line
    } else yield token === ':' ? colon : token
  }
}

function* writeToken(
  token: string,
  { read = unchanged, write = unchanged, number }: TokenStyle,
): Iterable<string | undefined> {
  if (!token.startsWith('"')) {
    yield number && /^[-\d]/.test(token) ? number(token) : token
    return
  }
  let text: string
  try {
    text = read(token)
  } catch {
    return yield undefined
  }
  if (text.length <= SLICE) return yield write(text)
  for (const slice of slicesOf(text, betweenEscapes)) {
    yield slice === undefined ? undefined : write(slice)
  }
}

function unchanged(text: string): string {
  return text
}
