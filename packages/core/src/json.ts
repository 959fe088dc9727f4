import { Refusal } from './refusal.ts'

/** How many objects and arrays may stand inside one another. */
const MAX_DEPTH = 64

// With ignoreBOM a byte order mark stays in the text, where JSON refuses it, instead of vanishing.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses authentic bytes as JSON (RFC 8259): strict UTF-8, no byte order mark, at most 64 containers
 * deep, and without any member named `__proto__`.
 *
 * @throws Refusal `body_not_utf8`, `body_too_deep` or `body_not_json` (400).
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  if (deeperThan(MAX_DEPTH, text)) throw new Refusal('body_too_deep', { limit: MAX_DEPTH })
  const value = parse(text)
  // The name can also be spelt with \u escapes, hence the second test.
  if (text.includes('__proto__') || text.includes('\\u')) dropProto(value)
  return value
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Refusal('body_not_utf8')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Without the SyntaxError as cause: its message quotes the body.
    throw new Refusal('body_not_json', { text })
  }
}

/** Whether JSON text nests deeper than `limit`. Looks at brackets only, so it never recurses. */
function deeperThan(limit: number, text: string): boolean {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x22: // "
        index = endOfString(text, index)
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > limit) return true
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
    }
  }
  return false
}

/** Where the string that opens at `start` closes: at the next quote with an even run of backslashes before it. */
function endOfString(text: string, start: number): number {
  let end = start
  for (;;) {
    end = text.indexOf('"', end + 1)
    if (end === -1) return text.length
    let backslashes = end - 1
    while (text.charCodeAt(backslashes) === 0x5c) backslashes--
    if ((end - backslashes) % 2 === 1) return end
  }
}

/** JSON.parse makes `__proto__` an own member; a later copy or merge in the application would set a prototype. */
function dropProto(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
  for (const member of Object.values(value)) dropProto(member)
}
