import { rejection } from '../reject/rejection.ts'

/** How many objects and arrays may stand inside one another. */
const MAX_DEPTH = 64

// With ignoreBOM a byte order mark stays in the text, where JSON rejects it, instead of vanishing.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What stands for bytes that are not UTF-8. A sender may also have written it. */
const REPLACEMENT = '\uFFFD'

/**
 * Parses verified bytes as JSON (RFC 8259): strict UTF-8, no byte order mark, at most 64 containers
 * deep, and without any property named `__proto__`.
 *
 * @throws WebhookError `body_not_utf8`, `body_not_json` or `body_too_deep` (400).
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  const value = parse(text)
  // Both look at the text first: walking through the value takes longer than parsing it.
  if (isDeeperThan(MAX_DEPTH, text)) throw rejection('body_too_deep', { limit: MAX_DEPTH })
  if (mayNamePrototype(text)) removePrototypes(value)
  return value
}

function decode(bytes: Uint8Array): string {
  const text = decoder.decode(bytes)
  if (!text.includes(REPLACEMENT)) return text
  // Only here: the strict decoder reads the bytes twice.
  try {
    return strict.decode(bytes)
  } catch {
    throw rejection('body_not_utf8')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Without the SyntaxError as cause: its message quotes the body.
    throw rejection('body_not_json', { text })
  }
}

/**
 * Whether a text may have a property named `__proto__`. The escape of any of its characters begins with `\u00`, which is
 * looked for by its zeros: text that was escaped once more has a backslash everywhere, and a search would stop at each.
 */
function mayNamePrototype(text: string): boolean {
  if (text.includes('__proto__')) return true
  for (let at = text.indexOf('00'); at >= 0; at = text.indexOf('00', at + 2)) {
    if (text.startsWith('\\u', at - 2)) return true
  }
  return false
}

/** Removes every `__proto__` of a parsed value: a later copy or merge in the application would set a prototype by it. */
function removePrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, property] of Object.entries(value)) {
    if (name === '__proto__') Reflect.deleteProperty(value, name)
    else removePrototypes(property)
  }
}

/**
 * Whether more than `limit` containers stand inside one another in a valid JSON text. A text with few containers, as most
 * are, is not read character by character.
 */
export function isDeeperThan(limit: number, json: string): boolean {
  return hasMoreContainers(limit, json) && hasMoreLevels(limit, json)
}

function hasMoreContainers(limit: number, json: string): boolean {
  let found = 0
  for (const opening of ['{', '[']) {
    for (let at = json.indexOf(opening); at >= 0; at = json.indexOf(opening, at + 1)) {
      found++
      if (found > limit) return true
    }
  }
  return false
}

function hasMoreLevels(limit: number, json: string): boolean {
  let levels = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(json, at)
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      levels++
      if (levels > limit) return true
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) levels--
  }
  return false
}

/** Where the string ends that begins at `start`: at a quote behind an even number of backslashes. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end
}

function isEscaped(json: string, at: number): boolean {
  let before = at
  while (json.charCodeAt(before - 1) === BACKSLASH) before--
  return (at - before) % 2 === 1
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
