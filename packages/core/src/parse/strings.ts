/** More than any service writes. */
const MOST_PROPERTIES = 100
const LONGEST_NAME = 32

/**
 * Finds the strings of a JSON object that have these names: the bytes between their quotes. Where a signature is one of them, anybody's
 * body is read, and for one of a million arrays, `JSON.parse` takes a hundred times as long as a MAC. So this goes through the
 * bytes once, and skips all other values without checking them.
 *
 * `undefined` for anything but an object. Also if one of the names is there twice or is no string, or if a name has an escape, because
 * another parser could then find another value.
 */
export function stringsOf(
  json: Uint8Array,
  names: readonly string[],
): ReadonlyMap<string, Uint8Array> | undefined {
  const values = valuesOf(json, names)
  if (!values || [...values.values()].some(([first]) => first !== QUOTE)) return undefined
  return new Map([...values].map(([name, value]) => [name, value.subarray(1, -1)]))
}

/** The same for values of any kind, as they are written. */
export function valuesOf(
  json: Uint8Array,
  names: readonly string[],
): ReadonlyMap<string, Uint8Array> | undefined {
  const found = new Map<string, Uint8Array>()
  let at = endOfSpace(json, 0)
  if (json[at] !== OPEN_OBJECT) return undefined
  for (let count = 0; count < MOST_PROPERTIES; count++) {
    const start = endOfSpace(json, at + 1)
    const end = endOfString(json, start)
    const colon = endOfSpace(json, end)
    if (json[colon] !== COLON) return undefined
    const written = json.subarray(start + 1, end - 1)
    if (written.includes(BACKSLASH)) return undefined
    const name = written.length > LONGEST_NAME ? '' : String.fromCharCode(...written)
    const value = endOfSpace(json, colon + 1)
    at = json[value] === QUOTE ? endOfString(json, value) : endOfValue(json, value)
    if (names.includes(name)) {
      if (found.has(name)) return undefined
      found.set(name, json.subarray(value, at))
    }
    at = endOfSpace(json, at)
    if (json[at] === CLOSE_OBJECT) {
      return endOfSpace(json, at + 1) === json.length ? found : undefined
    }
    if (json[at] !== COMMA) return undefined
  }
  return undefined
}

// Each of these returns where a value that begins at `start` ends. An invalid one ends with the body, so nothing is found after it.

function endOfSpace(json: Uint8Array, start: number): number {
  for (let at = start; at < json.length; at++) {
    const byte = json[at]
    if (byte !== SPACE && byte !== LF && byte !== CR && byte !== TAB) return at
  }
  return json.length
}

function endOfString(json: Uint8Array, start: number): number {
  if (json[start] !== QUOTE) return json.length
  for (let at = start + 1; at < json.length; at++) {
    const byte = json[at] ?? 0
    if (byte === QUOTE) return at + 1
    if (byte < SPACE) break
    if (byte === BACKSLASH) at++
  }
  return json.length
}

function endOfValue(json: Uint8Array, start: number): number {
  let depth = 0
  for (let at = start; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfString(json, at) - 1
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++
    else if (depth === 0 && (byte === COMMA || byte === CLOSE_OBJECT)) return at
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--
  }
  return json.length
}

/** The bytes that a string stands for; `undefined` if an escape is invalid, or half of a surrogate pair, which UTF-8 cannot write. */
export function unescaped(string: Uint8Array): Uint8Array | undefined {
  const first = string.indexOf(BACKSLASH)
  if (first < 0) return string
  // Node gives the body as a Buffer, whose slice() is the same memory: what is written here would change the body.
  const bytes = new Uint8Array(string)
  let length = first
  for (let at = first; at < string.length; ) {
    const byte = string[at] ?? 0
    if (byte !== BACKSLASH) {
      bytes[length++] = byte
      at++
    } else if (string[at + 1] !== U) {
      const character = ESCAPES[string[at + 1] ?? 0] ?? 0
      if (character === 0) return undefined
      bytes[length++] = character
      at += 2
    } else {
      const code = codeAt(string, at)
      if (Number.isNaN(code)) return undefined
      length = write(bytes, length, code)
      at += code > 0xffff ? 12 : 6
    }
  }
  return bytes.subarray(0, length)
}

/** The character of `\u20ac`, or of `\ud83d\ude00`, where two halves make one; otherwise NaN. */
function codeAt(string: Uint8Array, at: number): number {
  const unit = unitAt(string, at)
  if (unit < 0xd800 || unit > 0xdfff) return unit
  const low = string[at + 6] === BACKSLASH && string[at + 7] === U ? unitAt(string, at + 6) : 0
  const isPair = unit < 0xdc00 && low >= 0xdc00 && low <= 0xdfff
  return isPair ? 0x10000 + (unit - 0xd800) * 0x400 + low - 0xdc00 : Number.NaN
}

function unitAt(string: Uint8Array, at: number): number {
  let unit = 0
  for (let next = at + 2; next < at + 6; next++) {
    const digit = DIGITS[string[next] ?? 0] ?? 0
    if (digit === NO_DIGIT) return Number.NaN
    unit = unit * 16 + digit
  }
  return unit
}

/** Writes a character in UTF-8 (RFC 3629, section 3) and returns where it ends. Its escape is longer, so there is space. */
function write(bytes: Uint8Array, at: number, code: number): number {
  const more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3
  bytes[at] = (FIRST[more] ?? 0) | (code >> (6 * more))
  for (let index = 1; index <= more; index++) {
    bytes[at + index] = 0x80 | ((code >> (6 * (more - index))) & 0x3f)
  }
  return at + more + 1
}

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20]
const [QUOTE, BACKSLASH, COLON, COMMA, U] = [0x22, 0x5c, 0x3a, 0x2c, 0x75]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d]

/** What the first byte of a character says, by how many follow it. */
const FIRST = [0, 0xc0, 0xe0, 0xf0]

/** By the character behind a backslash: the one that both stand for. */
const ESCAPES = new Uint8Array(256)
for (const [index, character] of [...'"\\/bfnrt'].entries()) {
  ESCAPES[character.charCodeAt(0)] = '"\\/\b\f\n\r\t'.charCodeAt(index)
}

const NO_DIGIT = 255
const DIGITS = new Uint8Array(256).fill(NO_DIGIT)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGITS[digit.charCodeAt(0)] = value
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value
}
