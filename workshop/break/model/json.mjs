import { isUtf8 } from 'node:buffer'

/** How many objects and arrays may be nested. */
const MOST_LEVELS = 64

/**
 * The value of a body as JSON, or the reasons for which it may be rejected.
 *
 * @param {Uint8Array} bytes
 * @returns {{ value?: unknown, reasons: string[] }} a value if there is no reason
 */
export function expectedJson(bytes) {
  if (!isUtf8(bytes)) return { reasons: ['body_not_utf8'] }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
  let parsed
  try {
    parsed = JSON.parse(text)
  } catch {
    return { reasons: ['body_not_json'] }
  }
  return isTooDeep(parsed) ? { reasons: ['body_too_deep'] } : { value: clean(parsed), reasons: [] }
}

/** Goes from one level to the next. */
function isTooDeep(value) {
  let containers = [[value]]
  for (let level = 0; level <= MOST_LEVELS; level++) {
    containers = containers.flatMap(Object.values).filter((part) => Object(part) === part)
  }
  return containers.length > 0
}

/** The value without `__proto__` members. */
function clean(value) {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(clean)
  const kept = {}
  for (const name of Object.keys(value)) {
    if (name !== '__proto__') kept[name] = clean(value[name])
  }
  return kept
}
