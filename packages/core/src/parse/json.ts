import { Refusal } from '../reject/refusal.ts'
import { isDeeperThan } from './nesting.ts'

/** How many objects and arrays may stand inside one another. */
const MAX_DEPTH = 64

// With ignoreBOM a byte order mark stays in the text, where JSON refuses it, instead of vanishing.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses authentic bytes as JSON (RFC 8259): strict UTF-8, no byte order mark, at most 64 containers
 * deep, and without any member named `__proto__`.
 *
 * @throws Refusal `body_not_utf8`, `body_not_json` or `body_too_deep` (400).
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  const value = parse(text)
  // Both look at the text first: walking through the value takes longer than parsing it.
  if (isDeeperThan(MAX_DEPTH, text)) throw new Refusal('body_too_deep', { limit: MAX_DEPTH })
  if (mayNamePrototype(text)) removePrototypes(value)
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

/** Whether a text may have a member named `__proto__`. The escape of any of its characters begins with `\u00`. */
function mayNamePrototype(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\u00')
}

/** Removes every `__proto__` of a parsed value: a later copy or merge in the application would set a prototype by it. */
function removePrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') Reflect.deleteProperty(value, name)
    else removePrototypes(member)
  }
}
