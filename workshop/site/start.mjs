// docs/start.md has a section for each framework. On the site each is a page, so that it has an address and a title.
import { slug } from 'github-slugger'
import { FRAMEWORKS, sectionOf, shared } from '../prove/documents/start-page.mjs'
import { firstSteps, partsOf } from './services/first-steps.mjs'
import { paragraphs, sentences } from './services/markdown.mjs'
import { own, services, tokens } from './services/services.mjs'
import { read } from './sources.mjs'

const found = FRAMEWORKS.map((title) => ({
  ...{ title, name: slug(title), section: sectionOf(title).slice(title.length) },
}))

/** What is the same on every framework, and what follows for everybody. */
const [everywhere, ...parts] = shared.split(/^(?=## )/m)
const after = parts.filter((part) => /^## (?:What it does|Next)\n/.test(part)).join('')

const STEPS = [
  'Install',
  'Write the server',
  'Start it',
  'Send it a delivery',
  'Use the real secret',
]

/** In the order of docs/start.md. `copied` is for readers of the Markdown, who choose nothing and would have each step once for each sender. */
export const startPages = found.map(({ title, name, section }) => {
  const all = [...senders(), own].map((one) => [one.title, firstSteps(one, title, section)])
  const page = (ways, names) => linked(pageOf(title, name, section, ways, names))
  return {
    ...{ title, name, section },
    heading: `Webhooks in ${title}`,
    link: `/start/${name}`,
    file: `workshop/site/pages/start/${name}.md`,
    content: page(all),
    copied: page([all[0], all.at(-1)], namesOfSenders()),
  }
})

function linked(page) {
  return page.replaceAll(/\]\((?![a-z]+:|#)/g, '](../../../docs/')
}

/** What stands for the steps of the other senders. */
function namesOfSenders() {
  const [first, ...others] = senders()
  const row = ({ title, name, event, file, application }) =>
    `| ${title} | \`${name}\` | \`${file.variable}\` | \`${application.secret}\` | \`${event}\` | ${application.status} |`
  return `The steps are those of ${first.title} and of your own service. For another one, replace the names of ${first.title}:

| service | name | variable | made-up secret | event | status |
| --- | --- | --- | --- | --- | --- |
${[first, ...others].map(row).join('\n')}`
}

function pageOf(title, name, section, ways, names = '') {
  // What it says of JavaScript is for servers that `tsx` runs.
  const [shells, scripts] = everywhere.split(/(?=Without TypeScript)/)
  const isScript = section.includes('npx tsx') && title !== 'NestJS'
  const said = shells + (isScript ? scripts.replace(' (not on NestJS)', '') : '')
  const { begin } = partsOf(section)
  const needs = begin.includes('You need') ? '' : 'You need Node 20.19 or newer.'
  const chosen = (at) =>
    `<!-- choose: service -->

${ways.map(([sender, steps]) => `### ${sender}\n\n${steps[at]}`).join('\n\n')}

<!-- end -->`
  return `# Webhooks in ${title}

Receive your first verified webhook in three minutes.

${sentences(begin, needs)}

**Where do you run?**

${frameworksBar(name)}

**Who sends?**

${chosen(0)}

It writes the route into your project or an empty folder, with a test and a secret to try it with, and says what to run next.

${paragraphs(names, otherSenders())}

By hand, it takes five steps. You don't need an account at the service.

${STEPS.map((step, at) => paragraphs(`## ${at + 1}. ${step}`, chosen(at + 1), step === 'Start it' && said)).join('\n\n')}

${after}`
}

/** The services of the home page. */
function senders() {
  const home = read('workshop/site/pages/index.md')
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

function frameworksBar(current) {
  const links = found.map(({ title, name }) => {
    const mark = name === current ? ' aria-current="page"' : ''
    return `<a href="./${name}.html"${mark}>${title}</a>`
  })
  return `<nav class="frameworks vp-raw" aria-label="Frameworks">${links.join('')}</nav>`
}
