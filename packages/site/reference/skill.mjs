import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../sources.mjs'
import { everyScheme } from './schemes.mjs'

/** What an assistant has to know of each service, from its scheme and its file. */
export async function skill() {
  const schemes = await everyScheme()
  return schemes.map(sectionOf).filter(Boolean).join('\n\n')
}

function sectionOf(scheme) {
  const { name, exported, title, secret, signed, unsigned, patience, retries, algorithms } = scheme
  const file = join(ROOT, `packages/schemes/services/${name}.json`)
  if (!existsSync(file)) return ''
  const service = JSON.parse(readFileSync(file, 'utf8'))
  const events = Object.keys(service.samples).map((event) => `\`${event}\``)
  const lines = [
    `secret: \`${service.variable}\`${secret ? `, ${secret}` : ''}. ${service.where}`,
    `events such as ${events.join(', ')}`,
    algorithms.length === 0 &&
      `\`import { ${exported} } from '@webhook-receiver/schemes/${name}'\`, and pass \`{ scheme: ${exported}() }\``,
    signed.includes('url') && 'pass `publicUrl`, the whole URL as it was registered',
    unsigned.includes('id') && "a store needs `duplicates: 'id'` or `'body'`: the id is not signed",
    [patience && `waits ${patience} s`, retries === false && 'does not retry']
      .filter(Boolean)
      .join(', '),
    service.settings.join(' '),
    service.types && `types, for \`{ scheme }\`: \`${typesOf(service.types.code)}\``,
  ]
  return `### ${title ?? service.title}: \`${exported}\`\n\n${lines
    .filter(Boolean)
    .map((line) => `- ${line}`)
    .join('\n')}`
}

/** On one line, so each statement but the first begins behind a semicolon. */
function typesOf(code) {
  return code
    .filter(Boolean)
    .join('\n')
    .replaceAll(/\n(?=\w)/g, '; ')
    .replaceAll(/\s+/g, ' ')
}
