/** Numbers from 0 up to 1 that are the same for the same seed (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Whole numbers from 0 up to 2^32 that are the same for the same seeds (sfc32). Its state has 128 bits, so that
 * two streams of many millions do not meet.
 */
export function stream(...seeds) {
  let [a, b, c, counter] = [seeds[0] ?? 0, seeds[1] ?? 0, seeds[2] ?? 0, 1]
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return sum >>> 0
  }
  // Until seeds that differ in one bit have nothing in common.
  for (let round = 0; round < 20; round++) next()
  return next
}
