import { readCommandLine, text, wholeNumber } from '@webhook-receiver/tools/command-line.mjs'

const USAGE = `npm run fuzz -- [options]
  --runs N        how many requests to receivers on node:crypto; on WebCrypto a tenth of it (100000).
                  A tenth of it, too, at most 100000, is what fast-check draws for each property on
                  node:crypto, and a tenth of that on WebCrypto
  --minutes N     stops then, with what was done (no end)
  --threads N     how many at once (1)
  --seed N        of all that is drawn (1)
  --replay JSON   instead: the recipe of one request, as printed for a failure
Exits with 1 where a receiver and the model disagree, or where an outcome was never reached.`

export function readOptions() {
  const { minutes, ...options } = readCommandLine(USAGE, {
    runs: wholeNumber(100_000),
    minutes: wholeNumber(Number.POSITIVE_INFINITY),
    threads: wholeNumber(1),
    seed: wholeNumber(1),
    replay: text(),
  })
  return { ...options, milliseconds: 60_000 * minutes }
}
