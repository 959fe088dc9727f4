import { oneOrAll, readCommandLine } from '@webhook-receiver/tools/command-line.mjs'
import { ADAPTERS } from './applications.mjs'

const USAGE = `npm run canary -- [options]
  --adapter NAME   ${ADAPTERS.join(', ')} or all (all)
Exits with 1 where a mark came out, or a control's mark was not found.`

export function readOptions() {
  const { adapter } = readCommandLine(USAGE, { adapter: oneOrAll(ADAPTERS) })
  return { adapters: adapter }
}
