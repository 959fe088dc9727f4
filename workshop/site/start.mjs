// docs/start.md has a section for each framework. On the site each is a page, so that it has an address and a title.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slug } from 'github-slugger'
import { FRAMEWORKS, sectionOf, shared } from '../prove/documents/start-page.mjs'
import { firstSteps, ownSteps } from './services/first-steps.mjs'
import { services, tokens } from './services/services.mjs'
import { ROOT } from './sources.mjs'

const found = FRAMEWORKS.map((title) => ({
  ...{ title, name: slug(title), section: sectionOf(title).slice(title.length) },
}))

/** Where a framework needs a newer one. */
const NEEDS = /You need Node \d+\.\d+ or newer\./

/** What is the same on every framework, what is sent, and what follows for everybody. */
const [everywhere, ...parts] = shared.split(/^(?=## )/m)
const isSent = (part) => part.startsWith('## Send ')
const sent = parts.filter(isSent).map(withoutHeading).join('')
const after = parts.filter((part) => /^## (?:What it does|Next)\n/.test(part)).join('')

const STEPS = [
  'Install',
  'Write the server',
  'Start it',
  'Send it a delivery',
  'Use the real secret',
]

/** In the order of docs/start.md. */
export const startPages = found.map(({ title, name, section }) => ({
  title,
  name,
  section,
  heading: `Webhooks in ${title}`,
  link: `/start/${name}`,
  file: `workshop/site/pages/start/${name}.md`,
  content: pageOf(title, name, section).replaceAll(/\]\((?![a-z]+:|#)/g, '](../../../docs/'),
}))

function pageOf(title, name, section) {
  // What it says of JavaScript is for servers that `tsx` runs.
  const said = section.includes('npx tsx')
    ? everywhere
    : everywhere.split(/(?=In PowerShell)/).at(-1)
  const ways = [
    ...senders().map((one) => [one.title, firstSteps(one, title, section, said)]),
    ['My own service', ownSteps(section, said, sent)],
  ]
  const chosen = (at) =>
    `<!-- choose: service -->

${ways.map(([sender, steps]) => `### ${sender}\n\n${steps[at]}`).join('\n\n')}

<!-- end -->`
  return `# Webhooks in ${title}

Receive your first verified webhook in three minutes. ${NEEDS.exec(section)?.[0] ?? 'You need Node 20.19 or newer.'}

**Where do you run?**

${frameworksBar(name)}

**Who sends?**

${chosen(0)}

${otherSenders()}

${STEPS.map((step, at) => `## ${at + 1}. ${step}\n\n${chosen(at + 1)}`).join('\n\n')}

${after}`
}

/** The services of the home page. */
function senders() {
  const home = readFileSync(join(ROOT, 'workshop/site/pages/index.md'), 'utf8')
  const names = [...home.matchAll(/data-choose="([\w-]+)" .*data-secret="\w+"/g)]
  return names.map(([, name]) => services.find((service) => service.name === name))
}

/** Those whose steps are on their own page, on each framework. */
function otherSenders() {
  const here = senders()
  const links = [...services, ...tokens]
    .filter((service) => !here.includes(service))
    .sort((one, other) => one.file.title.localeCompare(other.file.title, 'en'))
    .map(({ name, file }) => `[${file.title}](services/${name}.md#server)`)
  return `<details><summary>Another service</summary>

${links.join(' · ')}, or [none of these](guides/other-services.md)

</details>`
}

/** It is part of a step. */
function withoutHeading(text) {
  return text.replace(/^## .*/, '')
}

function frameworksBar(current) {
  const links = found.map(({ title, name }) => {
    const mark = name === current ? ' aria-current="page"' : ''
    return `<a href="./${name}.html"${mark}>${title}</a>`
  })
  return `<nav class="frameworks vp-raw" aria-label="Frameworks">${links.join('')}</nav>`
}
