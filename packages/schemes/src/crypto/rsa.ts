/** Anyone may have a signature verified. With the largest of these keys that takes about 0.1 ms, with longer exponents more than 1,000 times as long. */
const [LONGEST, LARGEST_EXPONENT] = [4096, 2n ** 32n]

/**
 * Checks what a verification by this key costs.
 *
 * @throws an error that says what is wrong.
 */
export function checkSize(bits: number, exponent: bigint): void {
  if (bits > LONGEST) throw new Error(`it has ${bits} bits instead of at most ${LONGEST}`)
  if (exponent > LARGEST_EXPONENT) throw new Error('its exponent has more than 32 bits')
}
