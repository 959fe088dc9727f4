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
  // The name of a field may be empty.
  const [json] = (jsonField !== undefined && form?.get(jsonField)) || []
  if (json) return parseJson(json)
  const fields = forms?.fields(form).filter(([name]) => name !== '__proto__') ?? []
  return Object.fromEntries(
    fields.map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
  )
}
