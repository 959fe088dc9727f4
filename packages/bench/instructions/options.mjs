import { listOf, readCommandLine, wholeNumber } from '@webhook-receiver/tools/command-line.mjs'

const USAGE = `npm run instructions -- [options]
  --sizes LIST    of bodies, in bytes (256,1024,4096)
  --calls N       the difference of N and of 2 N calls is counted (5000)
  --repeats N     how often (3)
Exits with 0 where the ratio to the textbook is in its limit, 1 where not, 2 where nothing can be counted.`

const BOUNDS = { most: 9_999_999 }

export function readOptions() {
  return readCommandLine(USAGE, {
    sizes: listOf(wholeNumber(undefined, BOUNDS), [256, 1024, 4096]),
    calls: wholeNumber(5000, BOUNDS),
    repeats: wholeNumber(3, BOUNDS),
  })
}
