/** How far the control may be from 1, and its quartiles from one another, before a result is too noisy. */
const STRAY = 0.05
const SPREAD = 0.15

/**
 * Takes samples of every subject, round after round, each round in a random order: if the machine slows
 * down, it does so for all of them. The first `warmUp` rounds do not count.
 *
 * @template Sample
 * @param {readonly { name: string, sample: () => Sample | Promise<Sample> }[]} subjects
 * @param {number} rounds
 * @returns {Promise<Record<string, Sample[]>>} the samples of each, by round
 */
export async function interleaved(subjects, rounds, warmUp = 1) {
  const samples = Object.fromEntries(subjects.map(({ name }) => [name, []]))
  for (let round = -warmUp; round < rounds; round++) {
    for (const { name, sample } of shuffled(subjects)) {
      const taken = await sample()
      if (round >= 0) samples[name].push(taken)
    }
  }
  return samples
}

/**
 * The median of the ratios of two series that were taken in the same rounds, with their quartiles.
 *
 * @param {readonly number[]} samples
 * @param {readonly number[]} reference
 */
export function ratioOf(samples, reference) {
  return quartiles(samples.map((sample, round) => sample / reference[round]))
}

/** { median, low, high }, where low and high are the quartiles. */
export function quartiles(numbers) {
  const sorted = numbers.toSorted((left, right) => left - right)
  const at = (share) => {
    const place = share * (sorted.length - 1)
    const below = sorted[Math.floor(place)]
    return below + (sorted[Math.ceil(place)] - below) * (place % 1)
  }
  return { median: at(0.5), low: at(0.25), high: at(0.75) }
}

/** The samples of several processes as one. */
export function merged(all) {
  const names = Object.keys(all[0])
  return Object.fromEntries(names.map((name) => [name, all.flatMap((samples) => samples[name])]))
}

/** Whether the machine was too noisy, by the control: the ratio of the reference to itself. */
export function tooNoisy({ median, low, high }) {
  return Math.abs(median - 1) > STRAY || high - low > SPREAD
}

function shuffled(values) {
  const order = [...values]
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1))
    ;[order[last], order[other]] = [order[other], order[last]]
  }
  return order
}
