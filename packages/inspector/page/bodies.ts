import type { CaptureBody } from '../src/delivery-view.ts'

export interface Body {
  readonly bytes: Uint8Array
  /** `undefined` where the bytes are no UTF-8. */
  readonly text: string | undefined
}

export function toBody(body: CaptureBody): Body {
  if ('text' in body) return { bytes: new TextEncoder().encode(body.text), text: body.text }
  return {
    bytes: Uint8Array.from(atob(body.base64), (unit) => unit.charCodeAt(0)),
    text: undefined,
  }
}

/** A number as it is written: JavaScript would round 12345678901234567890. */
export class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** The JSON of a body with its numbers as they are written; `undefined` where it is no JSON. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    const reviver = (_: string, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' && context?.source !== undefined
        ? new NumberText(context.source)
        : value
    return { value: JSON.parse(text, reviver) }
  } catch {
    return undefined
  }
}

/** One line of a hex dump. */
export function hexLine(
  bytes: Uint8Array,
  line: number,
): {
  readonly offset: string
  readonly hex: readonly string[]
  readonly text: string
} {
  const part = [...bytes.subarray(line * 16, line * 16 + 16)]
  return {
    offset: (line * 16).toString(16).padStart(8, '0'),
    hex: part.map((byte) => byte.toString(16).padStart(2, '0')),
    text: part
      .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·'))
      .join(''),
  }
}
