import type { SchemeValue } from '../value.ts'

/**
 * Whether a body is read as a form: its bytes tell, because they are signed. A Content-Type is not: read as a form, a comment in
 * signed JSON could be a field.
 */
export function isForm({ body: kind = 'json' }: SchemeValue, body: Uint8Array): boolean {
  return kind === 'form' || (kind === 'json or form' && !isJson(body))
}

/** Whether the first character is one of an object or an array, behind white space or a byte order mark. */
function isJson(body: Uint8Array): boolean {
  let at = BYTE_ORDER_MARK.every((byte, index) => body[index] === byte) ? 3 : 0
  while ((body[at] ?? OPENING_BRACE) <= 0x20) at++
  return body[at] === OPENING_BRACE || body[at] === OPENING_BRACKET
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const OPENING_BRACE = 0x7b
const OPENING_BRACKET = 0x5b
