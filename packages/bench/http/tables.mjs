import { bytes, spread, time } from '@webhook-receiver/tools/figures.mjs'
import { quartiles, ratioOf, tooNoisy } from '../statistics.mjs'
import { BASELINE, CONTROL, FRAMEWORKS, PLAIN, RECEIVER } from './subjects.mjs'

export const [SMALL, LARGE] = [600, 64 * 1024]

const COLUMNS = ['CPU', 'requests/s', 'p99']

/** Every subject on every framework, relative to the framework's own JSON parser. */
export function tableOf(results, node) {
  const noisy = results
    .filter((result) => tooNoisy(cpuRatio(result, CONTROL)))
    .map(({ framework, size }) => `${framework} with ${bytes(size)}`)
  return {
    title: `CPU time and requests a second relative to the framework’s JSON parser (${node})`,
    head: [
      '',
      ...[SMALL, LARGE].flatMap((size) => COLUMNS.map((name) => `${bytes(size)}: ${name}`)),
    ],
    rows: FRAMEWORKS.flatMap((framework) => {
      const sizes = [SMALL, LARGE].map((size) => resultOf(results, framework, size))
      return Object.keys(sizes[0].samples)
        .filter((name) => name !== BASELINE && name !== CONTROL)
        .map((name) => [
          `${framework}: ${name}`,
          ...sizes.flatMap((result) => cellsOf(result, name)),
        ])
    }),
    note: noisy.length > 0 ? `Too noisy, by the control: ${noisy.join(', ')}.` : undefined,
  }
}

/** For the summary: rows of [what, compared with, result]. */
export function summaryOf(results, node) {
  const relative = (framework, reference) =>
    spread(cpuRatio(resultOf(results, framework, SMALL), RECEIVER, reference))
  const rows = FRAMEWORKS.map((framework) => [
    `${framework}, request of ${bytes(SMALL)}`,
    'its JSON parser; a handler with plain `node:crypto`',
    `${relative(framework, BASELINE)}; ${relative(framework, PLAIN)}`,
  ])
  return { node, rows }
}

export function resultOf(results, framework, size) {
  return results.find((result) => result.framework === framework && result.size === size)
}

/** The CPU time of one subject relative to another's, block by block. */
export function cpuRatio({ samples }, name, reference = BASELINE) {
  return ratio(samples, name, reference, 'cpu')
}

function cellsOf({ samples }, name) {
  return [
    spread(ratio(samples, name, BASELINE, 'cpu')),
    spread(ratio(samples, name, BASELINE, 'rate')),
    time(quartiles(samples[name].map(({ p99 }) => p99)).median * 1e6),
  ]
}

function ratio(samples, name, reference, measure) {
  const of = (subject) => samples[subject].map((sample) => sample[measure])
  return ratioOf(of(name), of(reference))
}
