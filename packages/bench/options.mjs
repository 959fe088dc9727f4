import {
  flag,
  listOf,
  oneOf,
  readCommandLine,
  refuse,
  text,
  wholeNumber,
} from '@webhook-receiver/tools/command-line.mjs'

const SECTIONS = ['verdict', 'http', 'refusals', 'startup', 'growth']

/** Those that need no other server, no network and little time. */
const SMOKE_SECTIONS = ['verdict', 'growth']

/**
 * @typedef {object} Options
 * @property {boolean} quick a tenth of the samples
 * @property {boolean} smoke one sample of everything, to see that it runs
 * @property {readonly import('./runtimes.mjs').Runtime[]} runtimes
 * @property {(text: string) => void} progress
 */

const USAGE = `node packages/bench/bench.mjs [section …] [options]
  sections          ${SECTIONS.join(', ')} (all)
  --runtimes LIST   lines of Node for the sections that start others, such as 20,22,24,26; they come from the npm
                    registry (the Node that runs this)
  --quick           a tenth of the samples: to look, not to publish
  --smoke           one sample of each, and nothing judged: to see that it runs (${SMOKE_SECTIONS.join(', ')})
  --json FILE       keep every figure in FILE
  --publish         write docs/bench/*.svg and the sections' parts of docs/bench.md and the README`

export function readOptions() {
  const { positionals, runtimes, publish, ...options } = readCommandLine(
    USAGE,
    {
      runtimes: listOf(wholeNumber(undefined, { least: 10, most: 99 }), []),
      quick: flag(),
      smoke: flag(),
      json: text(),
      publish: flag(),
    },
    oneOf(SECTIONS),
  )
  const { quick, smoke } = options
  if (publish && (quick || smoke)) {
    refuse('What is published is measured in full: leave out --quick and --smoke.', USAGE)
  }
  const all = smoke ? SMOKE_SECTIONS : SECTIONS
  return {
    ...options,
    sections: positionals.length === 0 ? all : positionals,
    lines: runtimes,
    published: publish,
    progress: (line) => console.error(line),
  }
}
