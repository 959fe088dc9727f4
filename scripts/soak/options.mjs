import { parseArgs } from 'node:util'
import { ADAPTERS } from '../socket-fuzz/applications.mjs'

const USAGE = `npm run soak -- [options]
  --adapter NAME    ${ADAPTERS.join(', ')} or all, all of them at the same time (all)
  --minutes N       how long; may be a fraction (10)
  --connections N   to each adapter (32)
  --rate N          requests a second to each adapter, as far as the machine can (150)
  --seed N          of what is sent (1)
Exits with 1 where an answer is wrong, a process fails, or memory grows by more than 10 MiB.`

/** @throws TypeError for an option that cannot be right. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      adapter: { type: 'string', default: 'all' },
      minutes: { type: 'string', default: '10' },
      connections: { type: 'string', default: '32' },
      rate: { type: 'string', default: '150' },
      seed: { type: 'string', default: '1' },
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
  const number = (name) => {
    const found = Number(values[name])
    if (found > 0 && Number.isFinite(found)) return found
    throw new TypeError(
      `--${name} should be a number above 0; got ${JSON.stringify(values[name])}.\n${USAGE}`,
    )
  }
  return {
    adapters: values.adapter === 'all' ? ADAPTERS : [values.adapter],
    milliseconds: number('minutes') * 60_000,
    connections: number('connections'),
    rate: number('rate'),
    seed: number('seed'),
  }
}
