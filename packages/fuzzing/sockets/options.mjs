import { ADAPTERS } from '@webhook-receiver/tools/applications.mjs'
import {
  oneOrAll,
  readCommandLine,
  text,
  wholeNumber,
} from '@webhook-receiver/tools/command-line.mjs'

const USAGE = `npm run fuzz:sockets -- [options]
  --adapter NAME    ${ADAPTERS.join(', ')} or all (all)
  --requests N      how many to each (2000)
  --minutes N       stops then, with what was done (no end)
  --connections N   how many at once to each (48)
  --parallel N      how many adapters at once (2)
  --seed N          of everything that is sent, but not of how the connections take turns (1)
  --failures FILE   where connections that went wrong are written to, a line each (socket-fuzz.jsonl, in the
                    folder for temporary files)
  --replay FILE     instead: sends the connections of such a file again
Exits with 1 where a promise is broken.`

export function readOptions() {
  const { adapter, minutes, ...options } = readCommandLine(USAGE, {
    adapter: oneOrAll(ADAPTERS),
    requests: wholeNumber(2000),
    minutes: wholeNumber(Number.POSITIVE_INFINITY),
    connections: wholeNumber(48),
    parallel: wholeNumber(2),
    seed: wholeNumber(1),
    failures: text(),
    replay: text(),
  })
  return { ...options, adapters: adapter, milliseconds: 60_000 * minutes }
}
