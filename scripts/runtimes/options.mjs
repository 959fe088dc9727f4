import { parseArgs } from 'node:util'
import { RUNTIMES } from './install.mjs'

const USAGE = `node scripts/runtimes.mjs [options]
  --only LIST   of ${RUNTIMES.join(', ')}; separated by commas (all)
  --short       Bun, Deno and workerd, with the vectors only: no core suite and no examples
  --write       puts the results into README.md and docs/evidence/runtimes.md
KEEP=1 keeps the folder that everything is installed in.`

/** @throws TypeError for an option that cannot be right. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      short: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(USAGE)
    process.exit()
  }
  const { short, write } = values
  const fallback = short ? RUNTIMES.filter((id) => !id.startsWith('node')) : RUNTIMES
  const only = values.only?.split(',') ?? fallback
  const unknown = only.filter((id) => !RUNTIMES.includes(id))
  if (unknown.length > 0)
    throw new TypeError(`There is no runtime ${unknown.join(', ')}.\n${USAGE}`)
  if (write && (short || only.length < RUNTIMES.length)) {
    throw new TypeError(`--write needs the results of all runtimes.\n${USAGE}`)
  }
  return { only, short, write }
}
