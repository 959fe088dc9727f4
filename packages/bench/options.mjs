import { parseArgs } from 'node:util'

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

/** @throws TypeError for an option that cannot be right. */
export function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      runtimes: { type: 'string' },
      quick: { type: 'boolean', default: false },
      smoke: { type: 'boolean', default: false },
      json: { type: 'string' },
      publish: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(USAGE)
    process.exit()
  }
  const unknown = positionals.find((name) => !SECTIONS.includes(name))
  if (unknown) throw new TypeError(`There is no section ${JSON.stringify(unknown)}.\n${USAGE}`)
  if (values.publish && (values.quick || values.smoke)) {
    throw new TypeError('What is published is measured in full: leave out --quick and --smoke.')
  }
  const all = values.smoke ? SMOKE_SECTIONS : SECTIONS
  const asked = positionals.length === 0 ? all : positionals
  const lines = values.runtimes?.split(',') ?? []
  if (!lines.every((line) => /^\d\d$/.test(line))) {
    throw new TypeError(`--runtimes should be lines of Node such as 20,22; got ${values.runtimes}.`)
  }
  return {
    sections: asked,
    lines,
    quick: values.quick,
    smoke: values.smoke,
    json: values.json,
    published: values.publish,
    progress: (text) => console.error(text),
  }
}
