/** Random numbers of a seed: the same in each run (Numerical Recipes' generator). */
export function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
