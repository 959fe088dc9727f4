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
  const data = isForm(value, body) ? forms?.read(head.form, body, value.jsonField) : parseJson(body)
  if (typeof data === 'object' && data !== null) return data
  throw rejection('envelope_invalid', {
    field: 'the body',
    expected: 'an object or an array',
    value: data,
  })
}
