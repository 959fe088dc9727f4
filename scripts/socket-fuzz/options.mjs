import { parseArgs } from 'node:util'
import { ADAPTERS } from './applications.mjs'

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

/** @throws TypeError for an option that cannot be right. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      adapter: { type: 'string', default: 'all' },
      requests: { type: 'string', default: '2000' },
      minutes: { type: 'string' },
      connections: { type: 'string', default: '48' },
      parallel: { type: 'string', default: '2' },
      seed: { type: 'string', default: '1' },
      failures: { type: 'string' },
      replay: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(USAGE)
    process.exit()
  }
  if (values.adapter !== 'all' && !ADAPTERS.includes(values.adapter)) {
    throw new TypeError(`There is no adapter ${JSON.stringify(values.adapter)}.\n${USAGE}`)
  }
  const whole = (name) => {
    if (/^[1-9]\d{0,8}$/.test(values[name])) return Number(values[name])
    throw new TypeError(
      `--${name} should be a whole number from 1; got ${JSON.stringify(values[name])}.\n${USAGE}`,
    )
  }
  return {
    adapters: values.adapter === 'all' ? ADAPTERS : [values.adapter],
    requests: whole('requests'),
    milliseconds: values.minutes ? whole('minutes') * 60_000 : Number.POSITIVE_INFINITY,
    connections: whole('connections'),
    parallel: whole('parallel'),
    seed: whole('seed'),
    failures: values.failures,
    replay: values.replay,
  }
}
