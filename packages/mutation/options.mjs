import {
  number,
  oneOf,
  readCommandLine,
  repeated,
  text,
  wholeNumber,
} from '@webhook-receiver/tools/command-line.mjs'

/** On the way of a delivery, or its stores. */
const RECEIVING = ['core', 'node', 'express', 'koa', 'fastify', 'hono', 'redis', 'postgres']

/** For developers and their tests. */
const TOOLS = ['diagnose', 'client', 'emulator', 'cli', 'conformance']

const PACKAGES = [...RECEIVING, ...TOOLS]

const USAGE = `npm run mutation -- [options]

Changes the source of a package in one place at a time and looks for a test that fails.

  --package NAME  one of ${PACKAGES.join(', ')}; may be given more than once (default: all)
  --file PART     only source files whose path has this part; may be given more than once
  --test PART     only tests in files or folders whose name has this part; may be given more than once
  --sample N      only N mutants of each package, drawn at random (default: all)
  --seed N        of what is drawn (default: 1)
  --vectors N     of the vectors that an adapter answers, every Nth (default: 5)
  --workers N     processes at once (default: 2)
  --budget S      how many seconds one test may try mutants (default: 8)
  --least SCORE   the score in percent that each package has to reach (default: 90)
  --json FILE     write what became of each mutant`

export function readOptions() {
  const {
    package: packages,
    file,
    test,
    budget,
    ...options
  } = readCommandLine(USAGE, {
    package: repeated(oneOf(PACKAGES), PACKAGES),
    file: repeated(text(), []),
    test: repeated(text(), ['']),
    sample: wholeNumber(Number.POSITIVE_INFINITY),
    seed: wholeNumber(1, { least: 0 }),
    vectors: wholeNumber(5),
    workers: wholeNumber(2),
    budget: number(8),
    least: number(90, { least: 0, most: 100 }),
    json: text(),
  })
  return { ...options, packages, parts: file, tests: test, budget: 1000 * budget }
}
