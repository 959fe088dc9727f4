import type { Encoding } from '../value.ts'

/** The one spelling that an encoding has for some bytes: atob alone ignores white space, missing padding and superfluous bits. */
const SPELLINGS: Readonly<Record<Encoding, RegExp>> = {
  hex: /^(?:[\da-f]{2})*$/,
  base64: /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/][AQgw]==|[A-Za-z\d+/]{2}[AEIMQUYcgkosw048]=)?$/,
  base64url: /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/,
}

/** The bytes of a text, or `undefined` where it is not written as these bytes are written. */
export function decode(encoding: Encoding, text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!SPELLINGS[encoding].test(text)) return undefined
  if (encoding !== 'hex') return latin1(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
  return Uint8Array.from(text.matchAll(/../g), ([pair]) => Number.parseInt(pair, 16))
}

export function encode(encoding: Encoding, bytes: Uint8Array): string {
  if (encoding === 'hex') return hexOf(bytes)
  const base64 = btoa(String.fromCharCode(...bytes))
  if (encoding === 'base64') return base64
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

const PAIRS = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
)

/** Bytes in hexadecimal digits, by a loop: signatures go through it before they are verified. */
export function hexOf(bytes: Uint8Array): string {
  let digits = ''
  for (const byte of bytes) digits += PAIRS[byte]
  return digits
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** The bytes that the characters of a text stand for. */
export function latin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}
