/** Numbers from 0 up to 1. */
export function seeded(seed: number): () => number

/** Whole numbers below a count. */
export function seededBelow(seed: number): (count: number) => number
