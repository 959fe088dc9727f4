import { existsSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { pages } from '../sections.mjs'
import { fileOnSite, REPOSITORY, ROOT } from '../sources.mjs'
import { startPages } from '../start.mjs'

const frameworks = startPages.map(({ name }) => name)
const known = new Set(pages.map(({ file }) => file))

/** Links in the documents are paths of the repository. What is not a page becomes a link to GitHub. */
export function linksAsOnGitHub(md) {
  md.core.ruler.push('links_as_on_github', ({ tokens, env }) => {
    const links = tokens.flatMap(({ children }) => children ?? [])
    for (const link of links.filter(({ type }) => type === 'link_open')) {
      link.attrSet('href', target(link.attrGet('href'), env.realPath ?? env.path))
    }
  })
}

function target(href, document) {
  if (!href || /^([a-z]+:|#|\/)/.test(href)) return href
  const [path, anchor] = href.split('#')
  const file = normalize(join(dirname(document), path))
  const hash = anchor ? `#${anchor}` : ''
  const isFolder = existsSync(file) && statSync(file).isDirectory()
  const inRepository = (isFolder ? join(file, 'README.md') : file).slice(ROOT.length)
  if (inRepository === 'docs/start.md' && frameworks.includes(anchor)) return `/start/${anchor}.md`
  if (known.has(inRepository)) return `/${fileOnSite(inRepository)}${hash}`
  return `${REPOSITORY}/${isFolder ? 'tree' : 'blob'}/main/${file.slice(ROOT.length)}${hash}`
}
