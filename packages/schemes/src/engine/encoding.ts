import { hexadecimal } from '@webhook-receiver/core/internal'
import type { Encoding } from '../value.ts'

/** What no digit stands for. */
const NONE = 255

/** What a digit stands for, by its character. */
function valuesOf(digits: string): Uint8Array {
  const values = new Uint8Array(128).fill(NONE)
  for (let value = 0; value < digits.length; value++) values[digits.charCodeAt(value)] = value
  return values
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The digits of each encoding, and how many bits one of them has. */
const DIGITS = {
  hex: [valuesOf('0123456789abcdef'), 4],
  base64: [valuesOf(`${BASE64}+/`), 6],
  base64url: [valuesOf(`${BASE64}-_`), 6],
} as const

/**
 * The bytes of a text, or `undefined` where it is not written in the one way in which these bytes are written: no white space, all
 * padding, and no superfluous bits. By a loop, since signatures go through it before they are verified: `atob`, which is less strict, takes
 * several times as long.
 */
export function decode(encoding: Encoding, text: string): Uint8Array<ArrayBuffer> | undefined {
  const [values, width] = DIGITS[encoding]
  const isPadded = encoding === 'base64'
  if (isPadded && text.length % 4 !== 0) return undefined
  const padding = isPadded ? Number(text.endsWith('=')) + Number(text.endsWith('==')) : 0
  const end = text.length - padding
  const bytes = new Uint8Array((end * width) >> 3)
  let rest = 0
  let bits = 0
  let length = 0
  for (let at = 0; at < end; at++) {
    const value = values[text.charCodeAt(at)] ?? NONE
    if (value === NONE) return undefined
    rest = (rest << width) | value
    bits += width
    if (bits < 8) continue
    bits -= 8
    bytes[length++] = rest >> bits
  }
  return bits < width && (rest & ((1 << bits) - 1)) === 0 ? bytes : undefined
}

/** How many digits bytes have. */
export function digitsOf(encoding: Encoding, bytes: number): number {
  if (encoding === 'base64') return 4 * Math.ceil(bytes / 3)
  return Math.ceil((8 * bytes) / DIGITS[encoding][1])
}

export function encode(encoding: Encoding, bytes: Uint8Array): string {
  if (encoding === 'hex') return hexadecimal(bytes)
  const base64 = btoa(String.fromCharCode(...bytes))
  if (encoding === 'base64') return base64
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
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
