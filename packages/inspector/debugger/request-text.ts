import { fromBase64 } from './base64.ts'

export type Header = readonly [name: string, value: string]

/** What a text says of a request. */
export interface RequestText {
  readonly method?: string
  /** A whole URL, or a path with its query. */
  readonly url?: string
  readonly headers: readonly Header[]
  readonly body?: Uint8Array
  /** Milliseconds since the epoch. */
  readonly receivedAt?: number | undefined
}

/**
 * Reads a request in the forms in which people have one: a capture, a `curl` command, HTTP as it is on the wire, or headers as a server
 * prints them, as lines, as JSON or as JavaScript.
 */
export function readRequestText(text: string): RequestText {
  return captured(text) ?? curl(text) ?? onTheWire(text)
}

/** What to do about a text that has no headers; undefined if it has some, or is empty. */
export function mistakenIn(text: string): string | undefined {
  if (text.trim() === '') return undefined
  if (isBody(text))
    return 'It looks like a body: paste it into the field below, and the headers here.'
  return readRequestText(text).headers.length === 0
    ? 'A header is a name, a colon and a value, one on each line, such as “content-type: application/json”.'
    : undefined
}

/** JSON with objects inside: headers have texts. A list of pairs can be headers. */
function isBody(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null || captured(text)) return false
    const isRecord = (value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
    return Object.values(parsed).some(isRecord)
  } catch {
    return false
  }
}

/** A file as docs/captures.md has it. */
function captured(text: string): RequestText | undefined {
  try {
    const { format, method, target, headers, body, received_at: at } = JSON.parse(text)
    if (format !== 'webhook-receiver-capture') return undefined
    const bytes = 'text' in body ? new TextEncoder().encode(body.text) : fromBase64(body.base64)
    return { method, url: target, headers, body: bytes, receivedAt: Date.parse(at) }
  } catch {
    return undefined
  }
}

/** A first line with the method is optional, and so is a body behind an empty line. */
function onTheWire(text: string): RequestText {
  const [head = '', ...rest] = text.replace(/^\s+/, '').split(/\r?\n\r?\n/)
  const [whole = '', method, url] =
    /^([A-Z]{3,10}) (\S+)(?: HTTP\/[\d.]+)?(?:\r?\n|$)/.exec(head) ?? []
  const behind = text
    .replace(/^\s+/, '')
    .slice(head.length)
    .replace(/^\r?\n\r?\n/, '')
  return {
    ...(method && url && { method, url }),
    headers: headersOf(head.slice(whole.length)),
    ...(rest.length > 0 && behind !== '' && { body: new TextEncoder().encode(behind) }),
  }
}

function headersOf(text: string): readonly Header[] {
  return fromJson(text) ?? text.split('\n').flatMap(headerOf)
}

/** An object of headers, a list of pairs, or the flat list that Node calls `rawHeaders`. */
function fromJson(text: string): readonly Header[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null) return undefined
    const isFlat = Array.isArray(parsed) && typeof parsed[0] === 'string'
    const list: readonly unknown[] = isFlat
      ? parsed.flatMap((name, at) => (at % 2 === 0 ? [[name, parsed[at + 1]]] : []))
      : Array.isArray(parsed)
        ? parsed
        : Object.entries(parsed)
    return list.flatMap((pair) => {
      const [name, value] = Array.isArray(pair) ? pair : []
      return [value].flat().map((each): Header => [String(name), String(each)])
    })
  } catch {
    return undefined
  }
}

/** `Name: value`, also behind the mark of `curl -v`, and in quotes with a comma as Node prints an object. */
function headerOf(line: string): readonly Header[] {
  const [, name, value = ''] = /^[>\s]*(["']?[\w-]+["']?)\s*:\s*(.*?)\s*$/.exec(line) ?? []
  if (name === undefined) return []
  const [, quote, quoted] = /^(["'`])(.*)\1,?$/.exec(value) ?? []
  const plain = quote ? (quoted ?? '').replaceAll(`\\${quote}`, quote) : value
  return [[name.replaceAll(/["']/g, ''), plain]]
}

const WITH_VALUE =
  /^(?:-H|--header|-d|--data(?:-raw|-binary|-ascii|-urlencode)?|-X|--request|--url|-u|--user|-A|--user-agent|-b|--cookie|-o|-m|--max-time)$/

function curl(text: string): RequestText | undefined {
  if (!/^\s*\$?\s*curl\s/.test(text)) return undefined
  const words = wordsOf(text).slice(text.trimStart().startsWith('$') ? 2 : 1)
  const headers: Header[] = []
  const data: string[] = []
  let method: string | undefined
  let url: string | undefined
  for (let at = 0; at < words.length; at++) {
    // `-XPOST` and `--header=…` have the value in the same word.
    const [, flag = '', joined] =
      /^(-[HdXAb](?!$)|--[\w-]+(?==))=?(.*)$/s.exec(words[at] ?? '') ?? []
    const name = flag || words[at] || ''
    const value = flag ? (joined ?? '') : WITH_VALUE.test(name) ? (words[++at] ?? '') : ''
    if (/^(?:-H|--header)$/.test(name)) headers.push(...headerOf(value))
    else if (/^(?:-d|--data)/.test(name)) data.push(value)
    else if (/^(?:-X|--request)$/.test(name)) method = value
    else if (name === '--url' || !name.startsWith('-')) url ??= value || name
  }
  return {
    method: method ?? 'POST',
    ...(url !== undefined && { url }),
    headers,
    ...(data.length > 0 && { body: new TextEncoder().encode(data.join('&')) }),
  }
}

/** The words of a command, as a POSIX shell reads them: in quotes, in `$'…'`, and with a line that goes on behind a backslash. */
function wordsOf(command: string): readonly string[] {
  const words: string[] = []
  const PART =
    /\\\r?\n|\s+|\$'((?:[^'\\]|\\.)*)'|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/gs
  let isOpen = false
  for (const [whole, ansi, single, double, escaped, bare] of command.matchAll(PART)) {
    if (/^(?:\s|\\\r?\n)/.test(whole)) {
      isOpen = false
      continue
    }
    const part =
      (ansi !== undefined ? unescaped(ansi) : undefined) ??
      single ??
      double?.replaceAll(/\\(["\\$`])/g, '$1').replaceAll(/\\\n/g, '') ??
      escaped ??
      bare ??
      ''
    if (isOpen) words.push(`${words.pop()}${part}`)
    else words.push(part)
    isOpen = true
  }
  return words
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([\da-f]{4})|x([\da-f]{2})|(.))/gis, (_, u, x, one) =>
    one === undefined ? String.fromCharCode(Number.parseInt(u ?? x, 16)) : (ESCAPES[one] ?? one),
  )
}
