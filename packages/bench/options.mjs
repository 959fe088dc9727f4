import {
  flag,
  listOf,
  number,
  oneOf,
  oneOrAll,
  readCommandLine,
  text,
  wholeNumber,
} from '@webhook-receiver/checks/command-line.mjs'
import { ADAPTERS } from '@webhook-receiver/trials/applications.mjs'

const BENCHMARKS = ['verification', 'http', 'rejections', 'stores', 'startup', 'growth']

const CHECKS = ['memory-store', 'soak', 'timing']

/** They need no network and little time. */
const SMOKE = ['verification', 'growth']

const BACKENDS = ['node', 'web']

/**
 * @typedef {object} Options besides those of single sections
 * @property {boolean} quick a tenth of the samples
 * @property {boolean} smoke one sample of everything, to see that it runs
 * @property {readonly import('./runtimes.mjs').Runtime[]} runtimes
 * @property {(text: string) => void} progress
 */

const USAGE = `npm run measure -- bench [section ...] [options]

Benchmarks (default: all of them)
  verification   CPU time relative to plain node:crypto and to other libraries, in one process
  http           CPU time of a request, cold and warm, on every framework, in four sizes
  rejections     CPU time, cold and warm, and memory of rejected requests
  stores         CPU time of a delivery with each store
  startup        import time and size
  growth         how cost grows with bodies, secrets, tenants, schemas and ids

Checks (only when named; exit code 1: failed, 2: no result)
  memory-store   the bytes that the memory store uses for each id
  soak           a long run must not grow in memory, and every response must be right
  timing         the time of a rejection must not depend on how much of the signature is right

Options
  --runtimes LIST   lines of Node, such as 20,22,24,26, from the npm registry (default: this Node)
  --quick           a tenth of the samples
  --smoke           one sample, to see that it runs (default sections: ${SMOKE.join(', ')})
  --json FILE       writes every sample
  --against FILE    of an earlier run: names each figure of http, rejections and stores that got 10 % worse

memory-store
  --ids LIST        how many ids (default: 1000000,1050000)
soak
  --adapter NAME    ${ADAPTERS.join(', ')} or all, all at the same time (default: all)
  --minutes N       may be a fraction (default: 10)
  --connections N   to each adapter (default: 32)
  --rate N          requests a second to each adapter, as far as the machine can (default: 150)
timing
  --backend NAME    ${BACKENDS.join(', ')} or all (default: all)
  --runs N          each in its own process (default: 3)
  --samples N       of each function and run (default: 1000000); with the MAC on WebCrypto a fifth of it,
                    without the MAC on Node five times
  --attempts N      how often a run is repeated if its controls fail (default: 3)
  --short           one run of 100000 samples
  --obvious         shows why the obvious choice of inputs accuses constant-time code
soak and timing
  --seed N          of all random choices (default: 1)`

export function readOptions() {
  const { positionals, ...options } = readCommandLine(
    USAGE,
    {
      runtimes: listOf(wholeNumber(undefined, { least: 10, most: 99 }), []),
      quick: flag(),
      smoke: flag(),
      json: text(),
      against: text(),
      ids: listOf(wholeNumber(), [1_000_000, 1_050_000]),
      adapter: oneOrAll(ADAPTERS),
      minutes: number(10, { least: 0.01 }),
      connections: wholeNumber(32),
      rate: wholeNumber(150),
      backend: oneOrAll(BACKENDS),
      runs: wholeNumber(),
      samples: wholeNumber(),
      attempts: wholeNumber(3),
      short: flag(),
      obvious: flag(),
      seed: wholeNumber(1),
    },
    oneOf([...BENCHMARKS, ...CHECKS]),
  )
  const { smoke, runtimes, short, runs, samples } = options
  return {
    ...options,
    runs: runs ?? (short ? 1 : 3),
    samples: samples ?? (short ? 100_000 : 1_000_000),
    sections: positionals.length > 0 ? positionals : smoke ? SMOKE : BENCHMARKS,
    lines: runtimes,
    progress: (line) => console.error(line),
  }
}
