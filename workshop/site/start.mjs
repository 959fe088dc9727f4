// docs/start.md has a section for each framework. On the site each is a page, so that it has an address and a title.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slug } from 'github-slugger'
import { ROOT } from './sources.mjs'

const [, sections, shared] =
  /<!-- choose: framework -->\n(.*?)<!-- end -->\n(.*)$/s.exec(
    readFileSync(join(ROOT, 'docs/start.md'), 'utf8'),
  ) ?? []
const found = sections
  .split(/^### /m)
  .slice(1)
  .map((text) => {
    const [title] = text.split('\n', 1)
    return { title, name: slug(title), section: text.slice(title.length) }
  })

/** In the order of docs/start.md. */
export const startPages = found.map(({ title, name, section }) => ({
  title,
  name,
  section,
  heading: `Webhooks in ${title}`,
  file: `workshop/site/pages/start/${name}.md`,
  content: `# Webhooks in ${title}

Receive your first verified webhook in three minutes.

**Who sends?** [All services](services/README.md)

${barOf('Services', sendersFor(name))}

**Where do you run?**

${barOf('Frameworks', hostsFor(name))}
${section}
${shared}`.replaceAll(/\]\((?![a-z]+:|#)/g, '](../../../docs/'),
}))

/** The services of the home page, whose pages remember the framework, and the reader's own. */
function sendersFor(current) {
  const home = readFileSync(join(ROOT, 'workshop/site/pages/index.md'), 'utf8')
  const buttons = home.matchAll(/data-choose="([\w-]+)" .*data-secret="\w+".*>(.*)<\/button>/g)
  const links = [...buttons].map(([, service, title]) => [`../services/${service}.html`, title])
  return [...links, [`./${current}.html`, 'My own service', true]]
}

function hostsFor(current) {
  return found.map(({ title, name }) => [`./${name}.html`, title, name === current])
}

function barOf(label, links) {
  const shown = links.map(([address, title, isCurrent]) => {
    const mark = isCurrent ? ' aria-current="page"' : ''
    return `<a href="${address}"${mark}>${title}</a>`
  })
  return `<nav class="frameworks vp-raw" aria-label="${label}">${shown.join('')}</nav>`
}
