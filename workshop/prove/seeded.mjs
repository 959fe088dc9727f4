/** Numbers from 0 up to 1 that are the same for the same seed (mulberry32). Neighbouring seeds have nothing in common. */
export function seeded(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Whole numbers below a count, the same for the same seed. */
export function seededBelow(seed) {
  const random = seeded(seed)
  return (count) => Math.floor(random() * count)
}
