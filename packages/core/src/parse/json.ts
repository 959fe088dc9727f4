import { Refusal } from '../reject/refusal.ts'

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
  const value = parse(decode(bytes))
  if (isContainer(value)) prune(value, MAX_DEPTH)
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

/**
 * Takes every `__proto__` out of a container that may hold `levels` of them inside one another, itself
 * included: a later copy or merge in the application would set a prototype by it.
 */
function prune(container: Container, levels: number): void {
  if (levels === 0) throw new Refusal('body_too_deep', { limit: MAX_DEPTH })
  if (Array.isArray(container)) {
    for (const member of container) if (isContainer(member)) prune(member, levels - 1)
    return
  }
  for (const name of Object.keys(container)) {
    const member = container[name]
    if (name === '__proto__') Reflect.deleteProperty(container, name)
    else if (isContainer(member)) prune(member, levels - 1)
  }
}

type Container = Record<string, unknown> | unknown[]

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}
