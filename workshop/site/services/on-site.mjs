// The pages of services as the site shows them: what a committed page has in short, in full.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../sources.mjs'
import { factsOf } from './facts.mjs'
import { paragraphs } from './markdown.mjs'
import { LONGER, marked } from './opening.mjs'
import { routeOf } from './pages.mjs'
import { ALL, serversOf } from './servers.mjs'
import { services, tokens } from './services.mjs'

/** What `npm run site:write` writes. */
const WRITTEN =
  /^(<!-- Written by `npm run site:write`: (page|route|server|facts) ([\w-]+) -->\n).*?(^<!-- end -->)$/gms

const facts = new Map()
for (const service of services) facts.set(service.name, await factsOf(service, true))

/** @param {readonly string[]} [frameworks] those that are shown */
export function onSite(page, frameworks = ALL) {
  return withList(page).replaceAll(WRITTEN, (_, begin, part, name, end) => {
    const service = [...services, ...tokens].find((each) => each.name === name)
    const text =
      part === 'server'
        ? serversOf(service, frameworks)
        : paragraphs(
            part !== 'facts' && routeOf(service, frameworks),
            part !== 'route' && facts.get(name),
          )
    return `${begin}\n${text}\n\n${end}`
  })
}

/** The facts of a page that is written by hand, beside each other as on the others. */
function withList(page) {
  return page.replace(/^\*\*signed\*\* .*$/m, (line) => {
    const items = line
      .replaceAll(/ [✓✗]/g, (mark) => marked(mark, true))
      .replace('**waits**', `**${LONGER.waits}**`)
      .replace('**response**', `**${LONGER.response}**`)
      .split(' · ')
    return `${items.map((item) => `- ${item}`).join('\n')}\n{.facts}`
  })
}

/** Every page of a service by its name, with the first framework alone: what the tests read. */
if (process.argv[1] === import.meta.filename) {
  const pages = [...services, ...tokens].map(({ name }) => [
    name,
    onSite(readFileSync(join(ROOT, `docs/services/${name}.md`), 'utf8'), ['express']),
  ])
  // A receiver that has held a line back waits for a minute to say so.
  process.stdout.write(JSON.stringify(Object.fromEntries(pages)), () => process.exit())
}
