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

/** RFC 3629, section 4, byte by byte. */
function isUtf8(bytes) {
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at++]
    if (first < 0x80) continue
    let more = 1
    let low = 0x80
    let high = 0xbf
    if (first >= 0xc2 && first <= 0xdf) more = 1
    else if (first >= 0xe0 && first <= 0xef) {
      more = 2
      if (first === 0xe0) low = 0xa0
      if (first === 0xed) high = 0x9f
    } else if (first >= 0xf0 && first <= 0xf4) {
      more = 3
      if (first === 0xf0) low = 0x90
      if (first === 0xf4) high = 0x8f
    } else return false
    for (; more > 0; more--) {
      const next = bytes[at++]
      if (next === undefined || next < low || next > high) return false
      low = 0x80
      high = 0xbf
    }
  }
  return true
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
