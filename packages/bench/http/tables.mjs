import { bytes, spread, time } from '@webhook-receiver/tools/figures.mjs'
import { cpuRatio, isNoisy, latencyOf, rateRatio } from './figures.mjs'

/** One framework: a row for each contender, and the same columns for each size of body. */
export function tableOf(framework, results) {
  const sizes = results.filter((result) => result.framework === framework)
  const noisy = sizes.filter(isNoisy).map(({ size }) => bytes(size))
  return {
    title: `Over HTTP, ${framework}: against the floor, its own JSON parser without verification`,
    head: [
      '',
      ...sizes.flatMap(({ size }) => COLUMNS.map((column) => `${bytes(size)}: ${column}`)),
    ],
    rows: Object.keys(sizes[0].samples).map((name) => [
      name,
      ...sizes.flatMap((result) => cellsOf(result, name)),
    ]),
    note:
      noisy.length > 0
        ? `The floor strays from itself at ${noisy.join(' and ')}: too noisy to judge by.`
        : undefined,
  }
}

const COLUMNS = ['CPU', 'requests/s', 'p99']

function cellsOf(result, name) {
  return [
    spread(cpuRatio(result, name)),
    spread(rateRatio(result, name)),
    time(latencyOf(result, name, 'p99').median * 1e6),
  ]
}
