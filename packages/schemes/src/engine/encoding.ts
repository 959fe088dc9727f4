import type { Encoding } from '../value.ts'

/** The bytes of a text, or `undefined` where it is not written as these bytes are written: `atob` alone ignores white space, missing padding and superfluous bits. */
export function decode(encoding: Encoding, text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes =
      encoding === 'hex'
        ? Uint8Array.from(text.matchAll(/../g), ([pair]) => Number.parseInt(pair, 16))
        : latin1(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
    return encode(encoding, bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
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

export function joined(left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(left.length + right.length)
  bytes.set(left)
  bytes.set(right, left.length)
  return bytes
}

/** The bytes that the characters of a text stand for. */
export function latin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}
