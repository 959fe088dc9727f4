import type { Bytes } from './crypto.ts'

/**
 * The two numbers of an ECDSA signature in DER (RFC 3279, section 2.2.3), 32 bytes each, or `undefined` where they are not written in
 * the one form that DER has for them.
 */
export function readEcdsa(der: Bytes): Bytes | undefined {
  if (der[0] !== SEQUENCE || der[1] !== der.length - 2) return undefined
  const numbers = new Uint8Array(64)
  let at = 2
  for (const end of [32, 64]) {
    const length = der[at + 1] ?? 0
    const start = at + 2
    at = start + length
    if (der[start - 2] !== INTEGER || length === 0 || at > der.length) return undefined
    const [first = 0, second = 0] = der.subarray(start, at)
    // Negative, or longer than it has to be.
    if (first > 127 || (first === 0 && length > 1 && second < 128)) return undefined
    const digits = der.subarray(first === 0 ? start + 1 : start, at)
    if (digits.length > 32) return undefined
    numbers.set(digits, end - digits.length)
  }
  return at === der.length ? numbers : undefined
}

/** The same two numbers in DER. */
export function writeEcdsa(numbers: Bytes): Bytes {
  const written = [numbers.subarray(0, 32), numbers.subarray(32)].flatMap((number) => {
    const digits = [...number.subarray(number.findIndex((digit) => digit !== 0))]
    // A first bit that is set would make it negative.
    const whole = (digits[0] ?? 0) > 127 ? [0, ...digits] : digits
    return [INTEGER, whole.length, ...whole]
  })
  return Uint8Array.of(SEQUENCE, written.length, ...written)
}

const SEQUENCE = 0x30
const INTEGER = 0x02
