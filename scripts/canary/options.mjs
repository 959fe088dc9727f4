import { parseArgs } from 'node:util'
import { ADAPTERS } from './applications.mjs'

const USAGE = `npm run canary -- [options]
  --adapter NAME   ${ADAPTERS.join(', ')} or all (all)
Exits with 1 where a mark came out, or a control's mark was not found.`

/** @throws TypeError for an option that cannot be right. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      adapter: { type: 'string', default: 'all' },
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
  return { adapters: values.adapter === 'all' ? ADAPTERS : [values.adapter] }
}
