import { rejection } from '@webhook-receiver/core/internal'

/** The values of each field of a form (application/x-www-form-urlencoded), as their bytes: text is made only of what is verified. */
export type Form = ReadonlyMap<string, readonly Uint8Array[]>

/** What services need whose bodies are forms, or are signed as forms. */
export interface Forms {
  /** `undefined` where a body is not a form. */
  readonly parse: (body: Uint8Array) => Form | undefined
  /** The fields as a signature over them covers them: sorted, and equal values of one name once, as Twilio's SDK has it. `undefined` where that has no order. */
  readonly sorted: (form: Form) => Form | undefined
  /** Each name followed by its values. */
  readonly bytes: (form: Form) => Uint8Array
  /** The names with their values as text. Throws a WebhookError (400) for what is not UTF-8. */
  readonly fields: (form: Form) => readonly (readonly [name: string, values: readonly string[]])[]
}

/** Reads forms, for the schemes that have them. */
export const forms: Forms = { parse, sorted, bytes, fields }

/** A form is parsed before it is known who sent it. */
const MOST_FIELDS = 1000

/** Up to so many bytes a loop is faster than a decoder or an encoder. */
const SHORT = 40

const AMPERSAND = 0x26
const EQUALS = 0x3d
const PLUS = 0x2b
const PERCENT = 0x25
const SPACE = 0x20

// Invalid UTF-8 is not replaced: two bodies would have one signature. A byte order mark would be part of a name.
const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = /* @__PURE__ */ new TextEncoder()

/** Bytes and no list of parts: for a megabyte of `=` that would take many times as long as a MAC of it. */
function parse(body: Uint8Array): Form | undefined {
  const form = new Map<string, Uint8Array[]>()
  const plain = new Uint8Array(body.length)
  let length = 0
  try {
    for (let start = 0, count = 0; start <= body.length; count++) {
      if (count === MOST_FIELDS) return undefined
      const next = body.indexOf(AMPERSAND, start)
      const end = next < 0 ? body.length : next
      const pair = body.subarray(start, end)
      const equals = pair.indexOf(EQUALS)
      const name = writePlain(equals < 0 ? pair : pair.subarray(0, equals), plain, length)
      const after = equals < 0 ? name : writePlain(pair.subarray(equals + 1), plain, name)
      if (end > start) {
        addField(form, nameOf(plain.subarray(length, name)), plain.subarray(name, after))
      }
      length = after
      start = end + 1
    }
    return form
  } catch {
    return undefined
  }
}

function addField(form: Map<string, Uint8Array[]>, name: string, value: Uint8Array): void {
  const values = form.get(name)
  if (values) values.push(value)
  else form.set(name, [value])
}

/** Writes the bytes that a part of a form stands for, and returns where they end. Throws for an escape that is none. */
function writePlain(part: Uint8Array, to: Uint8Array, start: number): number {
  to.set(part, start)
  const first = part.indexOf(PERCENT)
  const plain = first < 0 ? part.length : first
  let at = part.includes(PLUS) ? start : start + plain
  for (; at < start + plain; at++) if (to[at] === PLUS) to[at] = SPACE
  for (let index = plain; index < part.length; index++) {
    const byte = part[index] ?? 0
    if (byte === PERCENT) to[at++] = digit(part[++index]) * 16 + digit(part[++index])
    else to[at++] = byte === PLUS ? SPACE : byte
  }
  return at
}

/** Reads a name. Most are a few letters, for which a decoder takes longer than all else. */
function nameOf(bytes: Uint8Array): string {
  if (bytes.length > SHORT) return decoder.decode(bytes)
  let name = ''
  for (const byte of bytes) {
    if (byte > 0x7f) return decoder.decode(bytes)
    name += String.fromCharCode(byte)
  }
  return name
}

/** Writes a name, for the same reason letter by letter, and returns where it ends. */
function writeName(name: string, to: Uint8Array, start: number): number {
  if (name.length <= SHORT) {
    let at = 0
    for (; at < name.length; at++) {
      const code = name.charCodeAt(at)
      if (code > 0x7f) break
      to[start + at] = code
    }
    if (at === name.length) return start + at
  }
  return start + encoder.encodeInto(name, to.subarray(start)).written
}

/** @throws for what is none. */
function digit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  if (letter >= 0x61 && letter <= 0x66) return letter - 0x57
  throw new Error('it is not a hexadecimal digit')
}

function sorted(form: Form): Form | undefined {
  try {
    return new Map([...form.keys()].sort().map((name) => [name, once(form.get(name) ?? [])]))
  } catch {
    return undefined
  }
}

/** @throws for values that are not UTF-8. */
function once(values: readonly Uint8Array[]): readonly Uint8Array[] {
  if (values.length === 1) return values
  const texts = values.map((value) => decoder.decode(value))
  return [...new Set(texts)].sort().map((text) => encoder.encode(text))
}

function bytes(form: Form): Uint8Array {
  let most = 0
  for (const [name, values] of form) {
    for (const { length } of values) most += 3 * name.length + length
  }
  const whole = new Uint8Array(most)
  let at = 0
  for (const [name, values] of form) {
    for (const value of values) {
      at = writeName(name, whole, at)
      whole.set(value, at)
      at += value.length
    }
  }
  return whole.subarray(0, at)
}

function fields(form: Form): readonly (readonly [string, readonly string[]])[] {
  return [...form].map(([name, values]) => [name, values.map((value) => textOf(value))])
}

function textOf(value: Uint8Array): string {
  try {
    return decoder.decode(value)
  } catch {
    throw rejection('body_not_utf8')
  }
}
