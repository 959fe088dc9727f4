import { parseJson, rejection } from '@webhook-receiver/core/internal'
import type { SchemeValue } from '../value.ts'
import type { SignedContent } from './content.ts'
import type { Forms } from './form.ts'
import { isForm } from './is-form.ts'

/**
 * A body in the form that handlers get: an object or an array. Of a form, the fields; those with several values are arrays. Throws a
 * WebhookError (400).
 */
export function parseBody(
  value: SchemeValue,
  head: SignedContent,
  body: Uint8Array,
  forms: Forms | undefined,
): object {
  const data = isForm(value, body) ? formOf(head, body, value.jsonField, forms) : parseJson(body)
  if (typeof data === 'object' && data !== null) return data
  throw rejection('envelope_invalid', {
    field: 'the body',
    expected: 'an object or an array',
    value: data,
  })
}

function formOf(
  head: SignedContent,
  body: Uint8Array,
  jsonField: string | undefined,
  forms: Forms | undefined,
): unknown {
  // What forms escape is in none, so that garbage is not taken for a field.
  const form = head.form ?? (body.some((byte) => byte <= 0x20) ? undefined : forms?.parse(body))
  if (!form) throw forms?.missing()
  const [json] = jsonField === undefined ? [] : form.filter(([name]) => name === jsonField)
  if (json) return parseJson(new TextEncoder().encode(json[1][0]))
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
