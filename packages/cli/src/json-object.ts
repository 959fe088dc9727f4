import { UsageError } from './failure.ts'

/** How deep a value may be nested. A receiver takes 64; what is far deeper cannot be written as JSON again. */
const DEPTH = 1000

/**
 * Reads a JSON object that a person gave.
 *
 * @throws UsageError that names the flag.
 */
export function jsonObject(text: string, flag: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text)
  if (!isContainer(value) || Array.isArray(value)) {
    throw new UsageError(`${flag} should be a JSON object, such as '{"text":"hello"}'.`)
  }
  if (isTooDeep(value)) {
    throw new UsageError(`${flag} is nested more than ${DEPTH} levels deep: make it flatter.`)
  }
  return { ...value }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a value is nested so deep that `JSON.stringify` could reach the end of the stack. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer)
  // Level by level: recursion would reach it, too.
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > DEPTH) return true
    level = level.flatMap((container) => Object.values(container)).filter(isContainer)
  }
  return false
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
