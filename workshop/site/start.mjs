// docs/start.md has a section for each framework. On the site each is a page, so that it has an address and a title.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slug } from 'github-slugger'
import { FRAMEWORKS, sectionOf, shared } from '../prove/documents/start-page.mjs'
import { firstSteps } from './services/first-steps.mjs'
import { services } from './services/services.mjs'
import { ROOT } from './sources.mjs'

const found = FRAMEWORKS.map((title) => ({
  ...{ title, name: slug(title), section: sectionOf(title).slice(title.length) },
}))

/** What is the same on every framework, what follows for everybody, and what is sent to a server of one's own. */
const [everywhere, ...parts] = shared.split(/^(?=## )/m)
const isSent = (part) => part.startsWith('## Send ')
const sent = parts.filter(isSent).map(withoutHeading).join('')
const after = parts.filter((part) => /^## (?:What it does|Next)\n/.test(part)).join('')

/** In the order of docs/start.md. */
export const startPages = found.map(({ title, name, section }) => ({
  title,
  name,
  section,
  heading: `Webhooks in ${title}`,
  file: `workshop/site/pages/start/${name}.md`,
  content: `# Webhooks in ${title}

Receive your first verified webhook in three minutes.

**Where do you run?**

${frameworksBar(name)}

**Who sends?** [All services](services/README.md)

<!-- choose: service -->

${senders()
  .map((service) => `### ${service.title}\n\n${firstSteps(service, title, section)}`)
  .join('\n\n')}

### My own service

${section}
${everywhere.trim()}

${sent}
<!-- end -->

${after}`.replaceAll(/\]\((?![a-z]+:|#)/g, '](../../../docs/'),
}))

/** The services of the home page. */
function senders() {
  const home = readFileSync(join(ROOT, 'workshop/site/pages/index.md'), 'utf8')
  const names = [...home.matchAll(/data-choose="([\w-]+)" .*data-secret="\w+"/g)]
  return names.map(([, name]) => services.find((service) => service.name === name))
}

/** Nothing that is chosen has a heading of the page. */
function withoutHeading(text) {
  return text.replace(/^## (.*)/, '**$1**')
}

function frameworksBar(current) {
  const links = found.map(({ title, name }) => {
    const mark = name === current ? ' aria-current="page"' : ''
    return `<a href="./${name}.html"${mark}>${title}</a>`
  })
  return `<nav class="frameworks vp-raw" aria-label="Frameworks">${links.join('')}</nav>`
}
