import { flag, listOf, oneOf, readCommandLine, usageError } from '../../command-line.mjs'
import { EXAMPLE_NAMES, runtimesOf } from './examples.mjs'
import { RUNTIMES } from './install.mjs'

const USAGE = `npm run prove -- runtimes [options]
  --only LIST      of ${RUNTIMES.join(', ')}; separated by commas (all)
  --short          Bun, Deno and workerd, with the vectors only: no core suite and no examples
  --examples LIST  only these of the examples, and nothing else: ${EXAMPLE_NAMES.join(', ')}
KEEP=1 keeps the folder that everything is installed in.`

export function readOptions() {
  const { short, ...given } = readCommandLine(USAGE, {
    only: listOf(oneOf(RUNTIMES)),
    examples: listOf(oneOf(EXAMPLE_NAMES)),
    short: flag(),
  })
  if (given.examples) {
    if (short || given.only) usageError('--examples chooses the runtimes by itself.', USAGE)
    const only = [...new Set(runtimesOf(given.examples))]
    return { only, examples: given.examples, surfaces: false, suite: false }
  }
  const fallback = short ? RUNTIMES.filter((id) => !id.startsWith('node')) : RUNTIMES
  const examples = short ? [] : EXAMPLE_NAMES
  return { only: given.only ?? fallback, examples, surfaces: true, suite: !short }
}
