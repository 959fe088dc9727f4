/** How far the control may be from 1, and its quartiles from one another, before a result is too noisy. */
const STRAY = 0.05
const SPREAD = 0.15

/**
 * Takes samples of every subject, round after round, each round in a random order: if the machine slows
 * down, it does so for all of them. The first `warmUp` rounds do not count.
 *
 * @param {Readonly<Record<string, () => number | Promise<number>>>} subjects
 * @returns {Promise<Record<string, number[]>>} the samples of each, by round
 */
export async function interleaved(subjects, rounds, warmUp = 1) {
  const names = Object.keys(subjects)
  const samples = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -warmUp; round < rounds; round++) {
    const order = names.map((name) => ({ name, place: Math.random() }))
    for (const { name } of order.sort((one, other) => one.place - other.place)) {
      const taken = await subjects[name]()
      if (round >= 0) samples[name].push(taken)
    }
  }
  return samples
}

/**
 * The median of the ratios of two subjects in the same rounds, ± half the distance of the quartiles. `plain` is measured
 * twice: where the ratio to its `control` is not near 1, the machine is too noisy.
 */
export function relative(samples, name, reference = 'plain') {
  const control = ratioOf(samples.control, samples.plain)
  const isNoisy = Math.abs(control.median - 1) > STRAY || control.high - control.low > SPREAD
  if (isNoisy) return 'too noisy'
  const { median, low, high } = ratioOf(samples[name], samples[reference])
  const digits = median >= 10 ? 0 : 2
  return `${median.toFixed(digits)} ±${((high - low) / 2).toFixed(digits)}`
}

function ratioOf(samples, reference) {
  return quartiles(samples.map((sample, round) => sample / reference[round]))
}

export function quartiles(numbers) {
  const sorted = numbers.toSorted((left, right) => left - right)
  const at = (share) => {
    const place = share * (sorted.length - 1)
    const below = sorted[Math.floor(place)]
    return below + (sorted[Math.ceil(place)] - below) * (place % 1)
  }
  return { low: at(0.25), median: at(0.5), high: at(0.75) }
}
