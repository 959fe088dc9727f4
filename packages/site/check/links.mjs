import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { BASE, REPOSITORY, ROOT } from '../sources.mjs'

/** A file or a folder of the repository, on GitHub. */
const IN_REPOSITORY = new RegExp(`^${REPOSITORY}/(?:blob|tree|edit)/main/([^#?]*)`)

/**
 * The links of each page of a built site, menus included, that lead to a file or a heading that is not there.
 *
 * @returns {readonly [page: string, broken: readonly string[], links: number][]}
 */
export function brokenLinks(dist) {
  const files = readdirSync(dist, { recursive: true })
  const pages = new Map(
    files
      .filter((file) => file.endsWith('.html'))
      .map((file) => [file, readPage(join(dist, file))]),
  )
  return [...pages].map(([page, { links }]) => {
    const broken = links.filter((link) => !leadsSomewhere(link, page))
    return [page, broken.map((link) => `nothing is at ${link}`), links.length]
  })

  function leadsSomewhere(link, page) {
    const inRepository = IN_REPOSITORY.exec(link)?.[1]
    if (inRepository !== undefined) return existsSync(join(ROOT, decodeURIComponent(inRepository)))
    if (/^[a-z]+:/.test(link)) return true
    const [path, anchor] = link.split('#')
    const target = path === '' ? page : fileOf(path, page)
    if (!anchor) return existsSync(join(dist, target))
    return pages.get(target)?.ids.has(decodeURIComponent(anchor)) ?? false
  }

  function fileOf(path, from) {
    const file = path.startsWith(BASE) ? path.slice(BASE.length) : join(dirname(from), path)
    return normalize(file)
      .replace(/^\.?\/?$/, 'index.html')
      .replace(/\/$/, '/index.html')
  }
}

function readPage(file) {
  const html = readFileSync(file, 'utf8')
  return {
    ids: new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
    links: [...html.matchAll(/<(?:a|img)\b[^>]* (?:href|src)="([^"]*)"/g)].map(([, link]) => link),
  }
}
