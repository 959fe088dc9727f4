import { bytes, spread, time } from '@webhook-receiver/tools/figures.mjs'
import { quartiles, ratioOf, tooNoisy } from '../statistics.mjs'
import { BASELINE, CONTROL, FRAMEWORKS, LEAST, PLAIN, RECEIVER, verifies } from './subjects.mjs'

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

/** What is measured on every framework, 600 B on each Node, with the control. */
export function nodesTable(results) {
  const small = results.filter(({ size }) => size === SMALL)
  return {
    title: `CPU time of a request of ${bytes(SMALL)} relative to the framework’s JSON parser, on each Node`,
    head: ['', ...nodesOf(small)],
    rows: FRAMEWORKS.flatMap((framework) =>
      [CONTROL, LEAST, RECEIVER, PLAIN].map((name) => [
        `${framework}: ${name}`,
        ...resultsOf(small, framework).map((result) => spread(cpuRatio(result, name))),
      ]),
    ),
  }
}

/** The receiver relative to everything else that verifies, 600 B on each Node. */
export function alternativesTable(results) {
  const small = results.filter(({ size }) => size === SMALL)
  return {
    title: `CPU time of a request of ${bytes(SMALL)} to webhook-receiver, relative to the alternatives`,
    head: ['', ...nodesOf(small)],
    rows: FRAMEWORKS.flatMap((framework) => {
      const all = resultsOf(small, framework)
      const names = new Set(all.flatMap(({ samples }) => Object.keys(samples)))
      return [...names]
        .filter((name) => name !== RECEIVER && verifies(name))
        .map((name) => [
          `${framework}: ${name}`,
          ...all.map((result) =>
            name in result.samples ? spread(cpuRatio(result, RECEIVER, name)) : '–',
          ),
        ])
    }),
    note: 'Below 1 the receiver takes less. – does not load on that Node.',
  }
}

function nodesOf(results) {
  return [...new Set(results.map(({ node }) => node))]
}

function resultsOf(results, framework) {
  return results.filter((result) => result.framework === framework)
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
