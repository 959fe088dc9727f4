// The pages of services as the site shows them: what a committed page has in short, in full.
import { factsOf } from './facts.mjs'
import { paragraphs } from './markdown.mjs'
import { routeOf } from './pages.mjs'
import { ALL, serversOf, testsOf } from './servers.mjs'
import { services, tokens } from './services.mjs'

/** What `npm run site:write` writes. */
const WRITTEN =
  /^(<!-- Written by `npm run site:write`: (page|route|server|facts) ([\w-]+) -->\n).*?(^<!-- end -->)$/gms

const facts = new Map()
for (const service of services) facts.set(service.name, await factsOf(service, true))

export function onSite(page) {
  const whole = page.replaceAll(WRITTEN, (_, begin, part, name, end) => {
    const service = [...services, ...tokens].find((each) => each.name === name)
    const text =
      part === 'server'
        ? paragraphs(serversOf(service, ALL), testsOf(service, ALL))
        : paragraphs(part !== 'facts' && routeOf(service, ALL), part !== 'route' && facts.get(name))
    return `${begin}\n${text}\n\n${end}`
  })
  return whole
    .replace(/^\*\*signed\*\* .*$/m, (line) => {
      const longer = line
        .replace('**waits**', '**waits for a response**')
        .replace('**response**', '**your response**')
      return listOf('-', longer, 'facts')
    })
    .replace(/^[✓✗] `.*$/m, (line) => listOf('*', line, 'secrets'))
}

/** What a committed page has on one line. Each mark is coloured, and stays on the line of the word before it. */
function listOf(bullet, line, name) {
  const items = line.split(' · ').map((item) => {
    const coloured = item.replace(/ ?[✓✗]/, (mark) => {
      const name = mark.includes('✓') ? 'yes' : 'no'
      return `<b class="${name}">${mark.replace(' ', '&nbsp;')}</b>`
    })
    return `${bullet} ${coloured}`
  })
  return `${items.join('\n')}\n{.${name}}`
}
