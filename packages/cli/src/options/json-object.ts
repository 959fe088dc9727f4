import { UsageError } from '../console/index.ts'

/**
 * Reads a JSON object that a person gave.
 *
 * @throws UsageError that names the flag.
 */
export function jsonObject(text: string, flag: string): Readonly<Record<string, unknown>> {
  const value = parsed(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${flag} should be a JSON object, such as '{"text":"hello"}'.`)
  }
  if (jsonText(value) === undefined) {
    throw new UsageError(`${flag} is nested too deep: make it flatter.`)
  }
  return { ...value }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `undefined` for a value that is nested so deep that JSON.stringify comes to the end of the stack. */
export function jsonText(value: object): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
