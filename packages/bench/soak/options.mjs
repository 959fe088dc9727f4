import { ADAPTERS } from '@webhook-receiver/tools/applications.mjs'
import {
  number,
  oneOrAll,
  readCommandLine,
  wholeNumber,
} from '@webhook-receiver/tools/command-line.mjs'

const USAGE = `npm run soak -- [options]
  --adapter NAME    ${ADAPTERS.join(', ')} or all, all of them at the same time (all)
  --minutes N       how long; may be a fraction (10)
  --connections N   to each adapter (32)
  --rate N          requests a second to each adapter, as far as the machine can (150)
  --seed N          of what is sent (1)
Exits with 1 where an answer is wrong, a process fails, or memory grows by more than 10 MiB.`

export function readOptions() {
  const { adapter, minutes, ...options } = readCommandLine(USAGE, {
    adapter: oneOrAll(ADAPTERS),
    minutes: number(10, { least: 0.01 }),
    connections: wholeNumber(32),
    rate: wholeNumber(150),
    seed: wholeNumber(1),
  })
  return { ...options, adapters: adapter, milliseconds: 60_000 * minutes }
}
