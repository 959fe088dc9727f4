import { secretOf, serversFor, serviceIndex, serviceText } from '../services/pages.mjs'
import { contents } from './contents.mjs'
import { optionList } from './options.mjs'
import { packageTables } from './packages.mjs'
import { picker } from './picker.mjs'
import { serviceList } from './schemes.mjs'
import { skill } from './skill.mjs'

const RENDERERS = {
  contents,
  options: optionList,
  packages: packageTables,
  picker,
  services: serviceList,
  secret: secretOf,
  servers: serversFor,
  service: serviceText,
  serviceIndex,
  skill,
}

const BEGIN = '<!-- Written by `npm run site:write`:'
const END = '<!-- end -->'

/** Between two comments. The first one says what is rendered: `options packages/core/src/options.ts ReceiverOptions`. */
const BLOCK = new RegExp(`^${BEGIN} (\\w+)((?: [\\w./-]+)*) -->\\n.*?^${END}$`, 'gms')

/** A page of the reference with each of its generated blocks made again. */
export async function renderPage(page) {
  const rendered = []
  for (const [, kind, args] of page.matchAll(BLOCK)) {
    if (!Object.hasOwn(RENDERERS, kind)) throw new Error(`Nothing renders ${kind}.`)
    const words = args.trim().split(' ')
    const text = await RENDERERS[kind](...words)
    rendered.push(`${BEGIN} ${kind}${args} -->\n\n${text}\n\n${END}`)
  }
  return page.replace(BLOCK, () => rendered.shift())
}
