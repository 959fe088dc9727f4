import { parseArgs } from 'node:util'

/** What is mutated; the stores and the tools are not part of the promise. */
const PACKAGES = ['core', 'node', 'express', 'koa', 'fastify', 'hono']

const HELP = `npm run mutation -- [options]

Changes the source of a package in one place at a time and looks for a test that fails.

  --package NAME  one of ${PACKAGES.join(', ')}; may be given more than once (default: all)
  --file PART     only source files whose path has this part; may be given more than once
  --vectors N     of the vectors that an adapter answers, every Nth (default: 5)
  --workers N     processes at once (default: 2)
  --budget S      how many seconds one test may try mutants (default: 8)
  --least SCORE   the score in percent that each package has to reach (default: 90)
  --json FILE     write what became of each mutant
`

/** The options of the command line; ends the process when asked for help or when one is wrong. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      package: { type: 'string', multiple: true, default: [] },
      file: { type: 'string', multiple: true, default: [] },
      vectors: { type: 'string', default: '5' },
      workers: { type: 'string', default: '2' },
      budget: { type: 'string', default: '8' },
      least: { type: 'string', default: '90' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    process.exit(0)
  }
  const unknown = values.package.filter((name) => !PACKAGES.includes(name))
  const { vectors, workers, budget, least } = numbers(values)
  if (unknown.length > 0 || !(Math.min(vectors, workers, budget) >= 1) || !(least >= 0)) {
    console.error(HELP)
    process.exit(1)
  }
  const packages = values.package.length > 0 ? values.package : PACKAGES
  const { file: parts, json } = values
  return { packages, parts, vectors, workers, budget: 1000 * budget, least, json }
}

function numbers(values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]))
}
