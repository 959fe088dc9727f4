/** From this |t| on, two classes differ: the bound of dudect (Reparaz, Balasch, Verbauwhede 2017). */
export const LIMIT = 4.5

/** The parts of the samples that are kept: longer times are interruptions. */
const KEPT = [0.5, 0.7, 0.8, 0.9, 0.95, 0.99]

/**
 * Welch's t between the two classes of samples, for each crop, and the largest of them by its size.
 *
 * The bound of a crop is that of both classes together, so that it cannot favour one of them.
 *
 * @param {Float64Array} times in nanoseconds
 * @param {Uint8Array} classes 0 or 1 for each of them
 * @returns {{ t: number, difference: number, seen: number }} `difference` is the mean of class 1 less that of
 * class 0 in the crop that is most exact, and `seen` what it would have to be there for a t of 4.5: both in
 * nanoseconds
 */
export function largestT(times, classes) {
  const sorted = Float64Array.from(times).sort()
  const crops = KEPT.map((kept) =>
    welch(times, classes, sorted[Math.ceil(sorted.length * kept) - 1]),
  )
  const { t } = crops.reduce((a, b) => (Math.abs(b.t) > Math.abs(a.t) ? b : a))
  const { difference, seen } = crops.reduce((a, b) => (b.seen < a.seen ? b : a))
  return { t, difference, seen }
}

/** Of the samples up to a bound. */
function welch(times, classes, bound) {
  const count = [0, 0]
  const mean = [0, 0]
  const squares = [0, 0]
  for (let index = 0; index < times.length; index++) {
    const time = times[index]
    if (time > bound) continue
    const which = classes[index]
    // Welford's method.
    count[which]++
    const before = time - mean[which]
    mean[which] += before / count[which]
    squares[which] += before * (time - mean[which])
  }
  const error = Math.sqrt(
    squares[0] / (count[0] - 1) / count[0] + squares[1] / (count[1] - 1) / count[1],
  )
  const difference = mean[1] - mean[0]
  // No spread at all: equal, or as different as can be.
  const t = error > 0 ? difference / error : difference === 0 ? 0 : Number.POSITIVE_INFINITY
  return { t, difference, seen: LIMIT * error }
}
