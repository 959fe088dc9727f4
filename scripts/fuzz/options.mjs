import { parseArgs } from 'node:util'

const USAGE = `npm run fuzz -- [options]
  --runs N        how many requests to receivers on node:crypto; on WebCrypto a tenth of it (100000).
                  A tenth of it, too, at most 100000, is what fast-check draws for each property on
                  node:crypto, and a tenth of that on WebCrypto
  --minutes N     stops then, with what was done (no end)
  --threads N     how many at once (1)
  --seed N        of all that is drawn (1)
  --replay JSON   instead: the recipe of one request, as printed for a failure
Exits with 1 where a receiver and the model disagree, or where an outcome was never reached.`

/** @throws TypeError for an option that cannot be right. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '100000' },
      minutes: { type: 'string' },
      threads: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      replay: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(USAGE)
    process.exit()
  }
  const whole = (name) => {
    if (/^[1-9]\d{0,9}$/.test(values[name])) return Number(values[name])
    throw new TypeError(
      `--${name} should be a whole number from 1; got ${JSON.stringify(values[name])}.\n${USAGE}`,
    )
  }
  return {
    runs: whole('runs'),
    milliseconds: values.minutes ? whole('minutes') * 60_000 : Number.POSITIVE_INFINITY,
    threads: whole('threads'),
    seed: whole('seed'),
    replay: values.replay,
  }
}
