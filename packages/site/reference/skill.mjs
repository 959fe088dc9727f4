import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../sources.mjs'
import { listedSchemes } from './schemes.mjs'

/** What an assistant has to know of each service, from its scheme and its file. */
export async function skill() {
  const schemes = await listedSchemes()
  return schemes.map(sectionOf).filter(Boolean).join('\n\n')
}

function sectionOf({ name, exported, title, secret, signed, unsigned, patience, retries }) {
  const file = join(ROOT, `packages/schemes/services/${name}.json`)
  if (!existsSync(file)) return ''
  const service = JSON.parse(readFileSync(file, 'utf8'))
  const events = Object.keys(service.samples).map((event) => `\`${event}\``)
  const lines = [
    `secret: \`${service.variable}\`, ${secret}. ${service.where}`,
    `events such as ${events.join(', ')}`,
    signed.includes('url') && 'pass `publicUrl`, the whole URL as it was registered',
    unsigned.includes('id') && "a store needs `duplicates: 'id'` or `'body'`: the id is not signed",
    [patience && `waits ${patience} s`, retries === false && 'does not retry']
      .filter(Boolean)
      .join(', '),
    ...service.mistakes
      .filter(({ try: { parsed } }) => !parsed)
      .map(({ mistake, fix }) => `${mistake}? ${fix}`),
    service.types && `types: \`${typesOf(service.types.code)}\``,
  ]
  return `### ${title ?? service.title}: \`${exported}\`\n\n${lines
    .filter(Boolean)
    .map((line) => `- ${line}`)
    .join('\n')}`
}

/** On one line, without what each of them has. */
function typesOf(code) {
  return code.join(' ').replaceAll(/\s+/g, ' ').replaceAll('`', '')
}
