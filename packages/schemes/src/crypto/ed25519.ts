import type { Bytes } from './crypto.ts'

/** The field and the constant of the curve (RFC 8032, section 5.1). */
const P = 2n ** 255n - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

/**
 * Checks the point of a public key in DER, which no runtime does: with a point of small order, anyone can make signatures that are valid, and
 * with one that is not on the curve, none is.
 *
 * @throws an error that says what is wrong.
 */
export function checkPoint(key: Bytes): void {
  // RFC 8410, section 4: 12 bytes and the point.
  if (key.length !== 44) throw new Error(`it has ${key.length} bytes in DER instead of 44`)
  const digits = Array.from(key.subarray(12), (byte) => byte.toString(16).padStart(2, '0'))
  const y = BigInt.asUintN(255, BigInt(`0x${digits.reverse().join('')}`))
  const y2 = (y * y) % P
  // At the points of order 1, 2 and 4, y is 1, -1 and 0. Twice a point of order 8 is one of order 4.
  const isSmall = (y * (y2 - 1n) * (D * y2 * y2 + 2n * y2 - 1n)) % P === 0n
  if (isSmall) throw new Error('it is a weak key, with which anyone can sign')
  // x² = (y² - 1) / (dy² + 1), which has a root if the product of both has one (Euler's criterion).
  const isOnCurve = y < P && power((y2 - 1n) * (D * y2 + 1n), (P - 1n) / 2n) === 1n
  if (!isOnCurve) throw new Error('it is no point of the curve, so no signature is valid')
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let square = base % P
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % P
    square = (square * square) % P
  }
  return result
}
