// docs/start.md has a section for each framework. On the site each is a page, so that it has an address, a title and a description.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DOCS } from './sources.mjs'

const text = readFileSync(join(DOCS, 'start.md'), 'utf8')
const [, , sections = '', shared = ''] =
  /^(.*?)<!-- choose: framework -->\n(.*?)<!-- end -->\n(.*)$/s.exec(text) ?? []
const found = sections
  .split(/^### /m)
  .slice(1)
  .map((section) => {
    const [title] = section.split('\n', 1)
    const heading = `Webhooks in ${title}`
    return { title, name: addressOf(title), heading, section: section.slice(title.length) }
  })

/** In the order of docs/start.md. */
export const startPages = found.map(({ title, name, heading, section }) => ({
  title,
  name,
  heading,
  section,
  file: `packages/site/pages/start/${name}.md`,
  description: `Receive signed webhooks in ${title} with TypeScript: a complete server, a first delivery and a forged one, in three minutes.`,
  content: `# ${heading}

Receive your first verified webhook in three minutes. Does it come from Stripe, GitHub or another provider? [Its page](services/README.md) has the same server for it.

${barFor(name)}
${section}
${shared}`.replaceAll(/\]\((?![a-z]+:|#)/g, '](../../../../docs/'),
}))

/** As GitHub makes it. Nothing that only the site installs: the documents are written without it. */
function addressOf(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')
}

function barFor(current) {
  const links = found.map(({ title, name }) => {
    const mark = name === current ? ' aria-current="page"' : ''
    return `<a href="./${name}.html"${mark}>${title}</a>`
  })
  return `<nav class="frameworks vp-raw" aria-label="Frameworks">${links.join('')}</nav>`
}
