import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FRAMEWORKS, STORES, WITHOUT_PEER } from '../../prove/lists.mjs'
import { table } from '../../prove/table.mjs'
import { ROOT } from '../sources.mjs'

const PACKAGES = join(ROOT, 'packages')

/** Where each published package belongs. One that is missing here is an error, so that it is not forgotten. */
const GROUPS = {
  'For your server': [
    ...FRAMEWORKS,
    'nestjs',
    ...WITHOUT_PEER.toReversed(),
    'core',
    'schemes',
    'jwt',
  ],
  Stores: [...STORES, 'inbox', 'quarantine'],
  'Observe and diagnose': ['opentelemetry', 'diagnose'],
  'Develop and test': ['cli', 'client', 'emulator', 'conformance', 'contract'],
}

/** What the heading of the group says. */
const REPEATED = /^(?:Receive signed webhook deliveries on|Handle each webhook delivery once,) /

export function packageTables() {
  const known = Object.values(GROUPS).flat()
  for (const folder of readdirSync(PACKAGES)) {
    if (!known.includes(folder) && !manifestOf(folder).private)
      throw new Error(`Name the group of ${folder} in workshop/site/reference/packages.mjs.`)
  }
  const sections = Object.entries(GROUPS).map(([title, folders]) => {
    const rows = folders.map((folder) => {
      const { name, description } = manifestOf(folder)
      const text = description.replace(REPEATED, '')
      return [
        `[\`${name}\`](../../packages/${folder})`,
        `${text[0].toUpperCase()}${text.slice(1)}.`,
      ]
    })
    return `## ${title}\n\n${table(['package', 'what it does'], rows)}`
  })
  return sections.join('\n\n')
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(PACKAGES, folder, 'package.json'), 'utf8'))
}
