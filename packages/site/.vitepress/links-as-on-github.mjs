import { existsSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { DOCS, REPOSITORY, ROOT } from '../sources.mjs'

/**
 * Links in the documents are paths of the repository. A README of a folder becomes its index page; what lies outside of docs
 * becomes a link to GitHub.
 */
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
  if (file.startsWith(DOCS)) {
    if (isFolder) return `${path.replace(/\/?$/, '/index.md')}${hash}`
    return path.replace(/README\.md$/, 'index.md') + hash
  }
  return `${REPOSITORY}/${isFolder ? 'tree' : 'blob'}/main/${file.slice(ROOT.length)}${hash}`
}
