import { parseArgs } from 'node:util'

const USAGE = `npm run timing -- [options]
  --backend NAME   node, web or all (all)
  --runs N         how many runs, each in a process of its own (3)
  --samples N      how many of each subject in a run; receive() with WebCrypto gets a fifth of it (1000000)
  --attempts N     how often a run may be made again whose controls say that the machine is too noisy (3)
  --short          one run of 100000
  --obvious        shows what the obvious choice of classes accuses; judges nothing
  --seed N         of prefixes, tails and the order of the two classes; the times are the machine's (1)
Exits with 0 where nothing leaks, 1 where something does, 2 where the controls let nobody say.`

/** Which parts of the library are timed: `#mac` resolves to one of two files. */
const BACKENDS = ['node', 'web']

/** @throws TypeError for an option that cannot be right. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      backend: { type: 'string', default: 'all' },
      runs: { type: 'string' },
      samples: { type: 'string' },
      attempts: { type: 'string', default: '3' },
      obvious: { type: 'boolean', default: false },
      short: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(USAGE)
    process.exit()
  }
  if (values.backend !== 'all' && !BACKENDS.includes(values.backend)) {
    throw new TypeError(`There is no backend ${JSON.stringify(values.backend)}.\n${USAGE}`)
  }
  const count = (name, fallback) => counted(name, values[name] ?? fallback)
  return {
    backends: values.backend === 'all' ? BACKENDS : [values.backend],
    obvious: values.obvious,
    runs: count('runs', values.short ? '1' : '3'),
    samples: count('samples', values.short ? '100000' : '1000000'),
    attempts: count('attempts'),
    seed: count('seed'),
  }
}

function counted(name, text) {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new TypeError(
    `--${name} should be a whole number from 1; got ${JSON.stringify(text)}.\n${USAGE}`,
  )
}
