// docs/start.md has a section for each framework. On the site each is a page, so that it has an address and a title.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slug } from 'github-slugger'
import { paragraphs } from './services/markdown.mjs'
import { serverOn } from './services/servers.mjs'
import { services } from './services/services.mjs'
import { tryIt } from './services/try-it.mjs'
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

/** What follows for everybody, and what is sent to a server of one's own. */
const [, ...parts] = shared.split(/^(?=## )/m)
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
  .map((service) => `### ${service.title}\n\n${startWith(service, title)}`)
  .join('\n\n')}

### My own service

${section}
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

function startWith(service, framework) {
  const { name, title, file } = service
  const page = `services/${name}.md`
  return paragraphs(
    serverOn(framework, service),
    `Set \`${file.variable}\` where the server runs. [${title} shows it here](${page}#secret).`,
    withoutHeading(tryIt(service)),
    `The status is ${service.success?.status ?? 204}, and the server prints the event. [${title}, step by step](${page}) has a test, and the usual mistakes.`,
  )
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
