/** The values of each field of a form (application/x-www-form-urlencoded). */
export type Form = ReadonlyMap<string, readonly string[]>

// A byte order mark would be part of a name.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What services need whose bodies are forms, or are signed as forms. */
export interface Forms {
  /** `undefined` where a body is not a form. */
  readonly parse: (body: Uint8Array) => Form | undefined
  /** The fields as a signature over them covers them: sorted, and equal values of one name once, as Twilio's SDK has it. */
  readonly sorted: (form: Form) => Form
  /** What handlers get: an object of the fields; those with several values are arrays. */
  readonly data: (form: Form) => Readonly<Record<string, unknown>>
}

/** A form is parsed before it is known who sent it. */
const MOST_FIELDS = 1000

/** Reads forms, for the schemes that have them. */
export const forms: Forms = { parse: parseForm, sorted, data: formData }

/**
 * The fields of a body, or `undefined` where it is not a form. Invalid UTF-8 is not replaced: two bodies would have one signature.
 * It works on bytes and never on a list of parts: of a megabyte of `=` or `+` that would take a hundred times as long.
 */
function parseForm(body: Uint8Array): Form | undefined {
  const form = new Map<string, string[]>()
  try {
    let start = 0
    for (let fields = 0; start < body.length; fields++) {
      if (fields === MOST_FIELDS) return undefined
      const next = body.indexOf(AMPERSAND, start)
      const end = next < 0 ? body.length : next
      if (end > start) addField(form, body.subarray(start, end))
      start = end + 1
    }
    return form
  } catch {
    return undefined
  }
}

function addField(form: Map<string, string[]>, pair: Uint8Array): void {
  const equals = pair.indexOf(EQUALS)
  const name = unescaped(equals < 0 ? pair : pair.subarray(0, equals))
  const value = equals < 0 ? '' : unescaped(pair.subarray(equals + 1))
  const values = form.get(name)
  if (values) values.push(value)
  else form.set(name, [value])
}

const AMPERSAND = 0x26
const EQUALS = 0x3d
const PLUS = 0x2b
const PERCENT = 0x25
const SPACE = 0x20

/** @throws for an escape that is none, for white space and controls, which forms escape, and for what is not UTF-8. */
function unescaped(bytes: Uint8Array): string {
  const plain = new Uint8Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === undefined || byte <= SPACE) throw new Error('not a form')
    if (byte === PERCENT) plain[length++] = digit(bytes[++at]) * 16 + digit(bytes[++at])
    else plain[length++] = byte === PLUS ? SPACE : byte
  }
  return decoder.decode(plain.subarray(0, length))
}

function digit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  if (letter >= 0x61 && letter <= 0x66) return letter - 0x57
  throw new Error('not a hexadecimal digit')
}

function sorted(form: Form): Form {
  const names = [...form.keys()].sort()
  return new Map(names.map((name) => [name, [...new Set(form.get(name))].sort()]))
}

function formData(form: Form): Readonly<Record<string, unknown>> {
  const fields = [...form].filter(([name]) => name !== '__proto__')
  return Object.fromEntries(
    fields.map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
  )
}
