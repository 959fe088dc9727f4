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

Receive your first verified webhook in three minutes. Does it come from Stripe, GitHub or another provider? [Its page](services/README.md) has the same server for it.

${barFor(name)}
${section}
${shared}`.replaceAll(/\]\((?![a-z]+:|#)/g, '](../../../docs/'),
}))

function barFor(current) {
  const links = found.map(({ title, name }) => {
    const mark = name === current ? ' aria-current="page"' : ''
    return `<a href="./${name}.html"${mark}>${title}</a>`
  })
  return `<nav class="frameworks vp-raw" aria-label="Frameworks">${links.join('')}</nav>`
}
