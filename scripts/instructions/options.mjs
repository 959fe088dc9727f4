import { parseArgs } from 'node:util'

const USAGE = `npm run instructions -- [options]
  --sizes LIST    of bodies, in bytes (256,1024,4096)
  --calls N       the difference of N and of 2 N calls is counted (5000)
  --repeats N     how often (3)
Exits with 0 where the ratio to the textbook is in its limit, 1 where not, 2 where nothing can be counted.`

/** @throws TypeError for an option that cannot be right. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '256,1024,4096' },
      calls: { type: 'string', default: '5000' },
      repeats: { type: 'string', default: '3' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(USAGE)
    process.exit()
  }
  return {
    sizes: values.sizes.split(',').map((size) => counted('sizes', size)),
    calls: counted('calls', values.calls),
    repeats: counted('repeats', values.repeats),
  }
}

function counted(name, text) {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new TypeError(
    `--${name} should be whole numbers from 1; got ${JSON.stringify(text)}.\n${USAGE}`,
  )
}
