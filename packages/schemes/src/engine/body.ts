import { parseJson, rejection } from '@webhook-receiver/core/adapter'
import type { SchemeValue } from '../value.ts'
import type { SignedContent } from './content.ts'
import type { Forms } from './form.ts'

/** A body in the form that handlers get: an object or an array. Throws a WebhookError (400). */
export function parseBody(
  value: SchemeValue,
  head: SignedContent,
  body: Uint8Array,
  forms: Forms | undefined,
): object {
  const asForm = isForm(value, head, body)
  const data = asForm ? formOf(head, body, value.jsonField, forms) : parseJson(body)
  if (typeof data === 'object' && data !== null) return data
  throw rejection('envelope_invalid', {
    field: 'the body',
    expected: asForm ? 'a form' : 'an object or an array',
    value: data,
  })
}

/** Whether a body is read as a form. A signature over the fields of a form covers nothing but these. */
export function isForm(
  { body: kind = 'json', signed }: SchemeValue,
  { digest }: SignedContent,
  body: Uint8Array,
): boolean {
  const onlyForm = kind === 'form' || (signed.includes('form') && digest === undefined)
  return onlyForm || (kind !== 'json' && body[0] !== OPENING_BRACE)
}

const OPENING_BRACE = 0x7b

function formOf(
  head: SignedContent,
  body: Uint8Array,
  jsonField: string | undefined,
  forms: Forms | undefined,
): unknown {
  const form = head.form ?? forms?.parse(body)
  // The name of a field may be empty.
  const [json] = (jsonField !== undefined && form?.get(jsonField)) || []
  return json === undefined ? form && forms?.data(form) : parseJson(new TextEncoder().encode(json))
}
