import type { SchemeValue } from '../value.ts'
import { parseBody } from './body.ts'
import { isHeader, sameHeader } from './coverage.ts'
import type { Forms } from './form.ts'
import type { Head } from './head.ts'
import { withoutPointer } from './place.ts'

/**
 * What was signed, without timestamp and signature: the parts around the body as text, each with its end, and the body. Two requests
 * have the same only if handlers get the same.
 */
export function identityOf(
  value: SchemeValue,
  head: Head,
  body: Uint8Array,
  forms: Forms | undefined,
): readonly [text: string, body: Uint8Array] {
  const { signed, timestamp } = value
  const pointer = timestamp && 'pointer' in timestamp.at ? timestamp.at.pointer : undefined
  const parts = signed.map((part, at) => {
    if (isHeader(part)) return sameHeader(part, timestamp?.at) ? '' : head.said[at]
    if (part === 'url') return head.url
    return part === 'form' && head.form ? head.form.filter(([name]) => `/${name}` !== pointer) : ''
  })
  const text = JSON.stringify(parts)
  if (head.form) return [text, new Uint8Array()]
  if (pointer === undefined) return [text, body]
  // Parsed again, because the handler may have written into the data that it got.
  const rest = withoutPointer(pointer, parseBody(value, head, body, forms))
  return [text, new TextEncoder().encode(JSON.stringify(rest))]
}
