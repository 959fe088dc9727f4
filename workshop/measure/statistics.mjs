/**
 * Takes samples of every subject, round after round, each round in a random order: if the machine slows
 * down, it does so for all of them.
 *
 * @param {Readonly<Record<string, () => number | Promise<number>>>} subjects
 * @returns {Promise<Record<string, number[]>>} the samples of each, by round
 */
export async function interleaved(subjects, rounds) {
  const names = Object.keys(subjects)
  const samples = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of shuffled(names)) samples[name].push(await subjects[name]())
  }
  return samples
}

export function shuffled(names) {
  return names
    .map((name) => ({ name, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ name }) => name)
}

/** Of the samples of each round. */
function ratios(samples, reference) {
  return samples.map((sample, round) => sample / reference[round])
}

/** How far the control may be from 1 before a comparison counts, and how much more a request may cost than before. */
const CONTROL = 0.02
const LIMIT = 1.05

/** The least samples of a comparison. */
const LEAST = 24

/**
 * What `head` costs relative to `base`: the median, where the median would lie in 95 of 100 repetitions, the ratio of the 20th
 * percentiles, which leaves out what the machine disturbed, and the ratio of `base` to its control. `ends` says whether more samples
 * would not change on which side of the limit it is.
 */
export function compared({ head, base, control }) {
  const found = ratios(head, base)
  // The ranks of a binomial distribution, as a normal one.
  const reach = 0.98 / Math.sqrt(found.length)
  const figure = {
    ratio: quantile(found, 0.5),
    interval: [quantile(found, 0.5 - reach), quantile(found, 0.5 + reach)],
    quartiles: [quantile(found, 0.25), quantile(found, 0.75)],
    low: quantile(head, 0.2) / quantile(base, 0.2),
    control: quantile(ratios(control, base), 0.5),
    samples: found.length,
  }
  const counts = Math.abs(figure.control - 1) <= CONTROL
  const [least, most] = figure.interval
  return {
    ...figure,
    verdict: counts ? (figure.ratio > LIMIT ? 'above' : 'within') : 'undecided',
    ends: counts && found.length >= LEAST && (most <= LIMIT || least > LIMIT),
  }
}

export function quantile(numbers, share) {
  const sorted = numbers.toSorted((left, right) => left - right)
  const place = Math.min(1, Math.max(0, share)) * (sorted.length - 1)
  const below = sorted[Math.floor(place)]
  return below + (sorted[Math.ceil(place)] - below) * (place % 1)
}
