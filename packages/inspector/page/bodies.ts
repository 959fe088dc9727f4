import type { CaptureBody } from '../src/delivery-view.ts'

/** The text of a body; what is no UTF-8 has replacement characters. */
export function textOf(body: CaptureBody): string {
  if ('text' in body) return body.text
  const bytes = Uint8Array.from(atob(body.base64), (unit) => unit.charCodeAt(0))
  return new TextDecoder().decode(bytes)
}
