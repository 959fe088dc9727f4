import { WebhookError } from '@webhook-receiver/core'
import { rejection } from '@webhook-receiver/core/internal'
import type { SchemeValue } from '../value.ts'
import { isForm } from './is-form.ts'

/** The values of each field of a form (application/x-www-form-urlencoded), as their bytes: text is made only of what is verified. */
export type Form = ReadonlyMap<string, readonly Uint8Array[]>

/** What services need whose bodies are forms, or are signed as forms. */
export interface Forms {
  /** `undefined` where a body is not a form. */
  readonly parse: (body: Uint8Array) => Form | undefined
  /**
   * The fields as a signature over them covers them: sorted, and equal values of one name once, as Twilio's SDK has it. `undefined` for a body
   * that has none.
   */
  readonly signed: (value: SchemeValue, body: Uint8Array) => Form | undefined
  /** What to throw for such a body. */
  readonly unsigned: (value: SchemeValue) => WebhookError
  /** Each name followed by its values. */
  readonly bytes: (form: Form) => Uint8Array
  /** The names with their values as text. Throws a WebhookError (400) for what is not UTF-8, and where there is no form. */
  readonly fields: (
    form: Form | undefined,
  ) => readonly (readonly [name: string, values: readonly string[]])[]
}

/** Reads forms, for the schemes that have them. */
export const forms: Forms = { parse, signed, unsigned, bytes, fields }

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

/**
 * Bytes and no list of parts: for a megabyte of `=` that would take many times as long as a MAC of it. What is short is read by its place, since
 * a view of it takes longer.
 */
function parse(body: Uint8Array): Form | undefined {
  const form = new Map<string, Uint8Array[]>()
  const plain = new Uint8Array(body.length)
  let length = 0
  try {
    for (let start = 0, count = 0; start <= body.length; count++) {
      if (count === MOST_FIELDS) return undefined
      const next = body.indexOf(AMPERSAND, start)
      const end = next < 0 ? body.length : next
      const equals = equalsIn(body, start, end)
      const name = writePlain(body, start, equals, plain, length)
      const after = writePlain(body, Math.min(equals + 1, end), end, plain, name)
      if (end > start) addField(form, textIn(plain, length, name), plain.subarray(name, after))
      length = after
      start = end + 1
    }
    return form
  } catch {
    return undefined
  }
}

/** Where the first `=` of a field is; its end if there is none. */
function equalsIn(body: Uint8Array, start: number, end: number): number {
  const near = Math.min(start + SHORT, end)
  for (let at = start; at < near; at++) if (body[at] === EQUALS) return at
  const found = near < end ? body.subarray(near, end).indexOf(EQUALS) : -1
  return found < 0 ? end : near + found
}

function addField(form: Map<string, Uint8Array[]>, name: string, value: Uint8Array): void {
  const values = form.get(name)
  if (values) values.push(value)
  else form.set(name, [value])
}

/** Writes the bytes that a part of a form stands for, and returns where they end. Throws for an escape that is none. */
function writePlain(
  body: Uint8Array,
  start: number,
  end: number,
  to: Uint8Array,
  length: number,
): number {
  let index = start
  let at = length
  if (end - start > SHORT) {
    const part = body.subarray(start, end)
    to.set(part, at)
    const first = part.indexOf(PERCENT)
    const plain = at + (first < 0 ? part.length : first)
    if (!part.includes(PLUS)) at = plain
    for (; at < plain; at++) if (to[at] === PLUS) to[at] = SPACE
    index += plain - length
  }
  for (; index < end; index++) {
    const byte = body[index] ?? 0
    if (byte !== PERCENT) to[at++] = byte === PLUS ? SPACE : byte
    else {
      if (index + 2 >= end) throw new Error('the escape has no two digits')
      to[at++] = digit(body[++index]) * 16 + digit(body[++index])
    }
  }
  return at
}

/** Reads a text. Most are a few letters, for which a decoder takes longer than all else. Throws for what is not UTF-8. */
function textIn(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > SHORT) return decoder.decode(bytes.subarray(start, end))
  let text = ''
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte > 0x7f) return decoder.decode(bytes.subarray(start, end))
    text += String.fromCharCode(byte)
  }
  return text
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

function signed(value: SchemeValue, body: Uint8Array): Form | undefined {
  // JSON has no fields that could be signed.
  const form = isForm(value, body) ? parse(body) : undefined
  try {
    return form && sorted(form)
  } catch {
    return undefined
  }
}

function unsigned({ title = 'the service', bodyDigest }: SchemeValue): WebhookError {
  const json = bodyDigest ? `, or JSON with ${bodyDigest.query} in the URL` : ''
  return new WebhookError(
    'signature_mismatch',
    `The body is nothing that ${title} signs: ${expected()}${json}. Did a proxy change the body or its URL?`,
  )
}

/** @throws for values that are not UTF-8. */
function sorted(form: Form): Form {
  return new Map([...form.keys()].sort().map((name) => [name, once(form.get(name) ?? [])]))
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
      if (value.length > SHORT) whole.set(value, at)
      else for (let index = 0; index < value.length; index++) whole[at + index] = value[index] ?? 0
      at += value.length
    }
  }
  return whole.subarray(0, at)
}

/** No constant: bundlers would keep it for services that have no forms. */
function expected(): string {
  return `a form of at most ${MOST_FIELDS} fields`
}

function fields(form: Form | undefined): readonly (readonly [string, readonly string[]])[] {
  if (!form) throw rejection('envelope_invalid', { field: 'the body', expected: expected() })
  return [...form].map(([name, values]) => [name, values.map((value) => textOf(value))])
}

function textOf(value: Uint8Array): string {
  try {
    return textIn(value, 0, value.length)
  } catch {
    throw rejection('body_not_utf8')
  }
}
