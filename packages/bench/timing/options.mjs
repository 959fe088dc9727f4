import {
  flag,
  oneOrAll,
  readCommandLine,
  wholeNumber,
} from '@webhook-receiver/tools/command-line.mjs'

const USAGE = `npm run timing -- [options]
  --backend NAME   node, web or all (all)
  --runs N         how many runs, each in a process of its own (3)
  --samples N      how many of each subject in a run (1000000); WebCrypto with a MAC gets a fifth of it, Node without one five times
  --attempts N     how often a run may be made again whose controls say that the machine is too noisy (3)
  --short          one run of 100000
  --obvious        shows what the obvious choice of classes accuses; judges nothing
  --seed N         of prefixes, tails and the order of the two classes; the times are the machine's (1)
Exits with 0 where nothing leaks, 1 where something does, 2 where the controls let nobody say.`

/** Which parts of the library are timed: `#mac` resolves to one of two files. */
const BACKENDS = ['node', 'web']

export function readOptions() {
  const { backend, short, ...options } = readCommandLine(USAGE, {
    backend: oneOrAll(BACKENDS),
    runs: wholeNumber(),
    samples: wholeNumber(),
    attempts: wholeNumber(3),
    short: flag(),
    obvious: flag(),
    seed: wholeNumber(1),
  })
  const { runs = short ? 1 : 3, samples = short ? 100_000 : 1_000_000 } = options
  return { ...options, backends: backend, runs, samples }
}
