import { rejection } from '../reject/rejection.ts'

/** How many objects and arrays may stand inside one another in a body. */
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
 * @param limit how many containers deep instead.
 * @throws WebhookError `body_not_utf8`, `body_not_json` or `body_too_deep` (400).
 */
export function parseJson(bytes: Uint8Array, limit: number = MAX_DEPTH): unknown {
  const value = parse(decode(bytes))
  if (isContainer(value)) clean(value, 1, limit)
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

type Container = Record<string, unknown> | unknown[]

/**
 * Rejects more than `limit` containers inside one another: what copies or prints a value would overflow the stack. Removes every
 * `__proto__`: a later copy or merge in the application would set a prototype by it.
 */
function clean(container: Container, level: number, limit: number): void {
  if (level > limit) throw rejection('body_too_deep', { limit })
  if (Array.isArray(container)) {
    for (const part of container) if (isContainer(part)) clean(part, level + 1, limit)
    return
  }
  for (const name in container) {
    const part = container[name]
    // What the application has added to Object.prototype is not in the body.
    if (isContainer(part) && Object.hasOwn(container, name)) clean(part, level + 1, limit)
    if (name === '__proto__') Reflect.deleteProperty(container, name)
  }
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}
