import { WebhookError } from '@webhook-receiver/core'
import { parseJson, rejection } from '@webhook-receiver/core/internal'
import type { SchemeValue } from '../value.ts'
import { isForm } from './is-form.ts'

/** The fields of a form (application/x-www-form-urlencoded), each name once. */
export type Form = readonly Field[]

type Field = readonly [name: string, values: readonly string[]]

/** What services need whose bodies are forms, or are signed as forms. */
export interface Forms {
  /**
   * The fields as a signature over them covers them: sorted, and equal values of one name once, as Twilio's SDK has it. `undefined` for a body
   * that has none.
   */
  readonly signed: (value: SchemeValue, body: Uint8Array) => Form | undefined
  /** What to throw for such a body. */
  readonly unsigned: (value: SchemeValue) => WebhookError
  /** Each name followed by its values. */
  readonly bytes: (form: Form) => Uint8Array
  /**
   * What handlers get of a verified body: the JSON in its field, or the fields, of which those with several values are arrays. `form` is what
   * was signed, if that was a form. Throws a WebhookError (400).
   */
  readonly read: (form: Form | undefined, body: Uint8Array, jsonField?: string) => unknown
}

/** Reads forms, for the schemes that have them. */
export const forms: Forms = { signed, unsigned, bytes, read }

/** A form is parsed before it is known who sent it. */
const MOST_FIELDS = 1000

const PLUS = 0x2b
const SPACE = 0x20

/** An escape without two digits. */
const NO_ESCAPE = /%(?![\da-f]{2})/i

// Invalid UTF-8 is not replaced: two bodies would have one signature. A byte order mark would be part of a name.
const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = /* @__PURE__ */ new TextEncoder()

/**
 * `undefined` where a body is not a form. Throws a WebhookError (400) for what is not UTF-8.
 *
 * By few calls of the runtime, which take less time than a loop over all bytes. It makes no list of all parts and replaces nothing in text: for a
 * megabyte of `&` or `+` that would take hundreds of times as long as a MAC.
 */
function parse(body: Uint8Array): Form | undefined {
  const text = textOf(body)
  const form = new Map<string, string[]>()
  for (let start = 0, count = 0; start <= text.length; count++) {
    if (count === MOST_FIELDS) return undefined
    const next = text.indexOf('&', start)
    const end = next < 0 ? text.length : next
    if (end > start && !addField(form, text.slice(start, end))) return undefined
    start = end + 1
  }
  return [...form]
}

/** With spaces where the body has `+`. */
function textOf(body: Uint8Array): string {
  let bytes = body
  if (body.includes(PLUS)) {
    bytes = new Uint8Array(body)
    for (let at = 0; at < bytes.length; at++) if (bytes[at] === PLUS) bytes[at] = SPACE
  }
  try {
    return decoder.decode(bytes)
  } catch {
    throw rejection('body_not_utf8')
  }
}

/** Adds a field, unless it has an escape that is none. */
function addField(form: Map<string, string[]>, field: string): boolean {
  const equals = field.indexOf('=')
  const name = unescaped(equals < 0 ? field : field.slice(0, equals))
  const value = unescaped(equals < 0 ? '' : field.slice(equals + 1))
  if (name === undefined || value === undefined) return false
  const values = form.get(name)
  if (values) values.push(value)
  else form.set(name, [value])
  return true
}

/** `undefined` for an escape that is none. */
function unescaped(part: string): string | undefined {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    if (NO_ESCAPE.test(part)) return undefined
    throw rejection('body_not_utf8')
  }
}

function signed(value: SchemeValue, body: Uint8Array): Form | undefined {
  // JSON has no fields that could be signed.
  if (!isForm(value, body)) return undefined
  try {
    return parse(body)
      ?.map(once)
      .sort(([name], [other]) => (name < other ? -1 : 1))
  } catch {
    return undefined
  }
}

function once(field: Field): Field {
  const [name, values] = field
  return values.length > 1 ? [name, [...new Set(values)].sort()] : field
}

function unsigned({ title = 'the service', bodyDigest }: SchemeValue): WebhookError {
  const json = bodyDigest ? `, or JSON with ${bodyDigest.query} in the URL` : ''
  return new WebhookError(
    'signature_mismatch',
    `The body is nothing that ${title} signs: ${expected()}${json}. Did a proxy change the body or its URL?`,
  )
}

function bytes(form: Form): Uint8Array {
  let text = ''
  for (const [name, values] of form) for (const value of values) text += name + value
  return encoder.encode(text)
}

function read(signed: Form | undefined, body: Uint8Array, jsonField?: string): unknown {
  // What forms escape is in none, so that garbage is not taken for a field.
  const form = signed ?? (body.some((byte) => byte <= SPACE) ? undefined : parse(body))
  if (!form) throw rejection('envelope_invalid', { field: 'the body', expected: expected() })
  const json = form.find(([name]) => name === jsonField)
  if (json) return parseJson(encoder.encode(json[1][0]))
  const data: Record<string, unknown> = {}
  for (const [name, values] of form) {
    // A copy, since the key of the delivery may be made of the form later.
    const value = values.length > 1 ? [...values] : values[0]
    // What objects inherit may be frozen, which an assignment would meet.
    if (name in data) Object.defineProperty(data, name, { ...OWN, value })
    else data[name] = value
  }
  Reflect.deleteProperty(data, '__proto__')
  return data
}

const OWN = { configurable: true, enumerable: true, writable: true }

/** No constant: bundlers would keep it for services that have no forms. */
function expected(): string {
  return `a form of at most ${MOST_FIELDS} fields`
}
