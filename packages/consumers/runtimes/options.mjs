import {
  flag,
  listOf,
  oneOf,
  readCommandLine,
  refuse,
} from '@webhook-receiver/tools/command-line.mjs'
import { RUNTIMES } from './install.mjs'

const USAGE = `npm run runtimes -- [options]
  --only LIST   of ${RUNTIMES.join(', ')}; separated by commas (all)
  --short       Bun, Deno and workerd, with the vectors only: no core suite and no examples
  --write       puts the results into docs/evidence/runtimes.md
KEEP=1 keeps the folder that everything is installed in.`

export function readOptions() {
  const { short, write, ...given } = readCommandLine(USAGE, {
    only: listOf(oneOf(RUNTIMES)),
    short: flag(),
    write: flag(),
  })
  const fallback = short ? RUNTIMES.filter((id) => !id.startsWith('node')) : RUNTIMES
  const only = given.only ?? fallback
  if (write && (short || only.length < RUNTIMES.length)) {
    refuse('--write needs the results of all runtimes.', USAGE)
  }
  return { only, short, write }
}
