import { statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pages } from '../sections.mjs'
import { fileOnSite, REPOSITORY, ROOT, SITE } from '../sources.mjs'
import { startPages } from '../start.mjs'

/** Links in the documents are paths of the repository, or addresses in those that npm gets. What is not a page becomes a link to GitHub. */
export function linksAsOnGitHub(md) {
  md.core.ruler.push('links_as_on_github', ({ tokens, env }) => {
    const links = tokens.flatMap(({ children }) => children ?? [])
    for (const link of links.filter(({ type }) => type === 'link_open')) {
      link.attrSet('href', target(link.attrGet('href'), env.realPath ?? env.path))
    }
  })
}

/** Where a link of a document, the path of its file, leads: a path of the site, or an address. */
export function target(href, document) {
  if (href?.startsWith(`${SITE}/`)) return href.slice(SITE.length)
  if (!href || /^([a-z]+:|#|\/)/.test(href)) return href
  const [path, anchor] = href.split('#')
  const file = join(dirname(document), path)
  // Throws where nothing is.
  const isFolder = statSync(file).isDirectory()
  const place = relative(ROOT, file)
  const page = isFolder ? join(place, 'README.md') : place
  const hash = anchor ? `#${anchor}` : ''
  const isStart = page === 'docs/start.md' && startPages.some(({ name }) => name === anchor)
  if (isStart) return `/start/${anchor}.md`
  if (pages.some((each) => each.file === page)) return `/${fileOnSite(page)}${hash}`
  return `${REPOSITORY}/${isFolder ? 'tree' : 'blob'}/main/${place}${hash}`
}
