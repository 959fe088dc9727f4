import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { BASE } from '../sources.mjs'

/** The links of a built site to a heading that is not there, and to files that are not there. */
export function brokenAnchors(dist) {
  const files = readdirSync(dist, { recursive: true }).filter((file) => file.endsWith('.html'))
  const pages = new Map(files.map((file) => [file, readPage(join(dist, file))]))
  return [...pages].flatMap(([file, { links }]) =>
    links
      .filter((link) => !leadsSomewhere(link, file))
      .map((link) => `${file}: nothing is at ${link}`),
  )

  function leadsSomewhere(link, file) {
    if (/^[a-z]+:/.test(link)) return true
    const [path, anchor] = link.split('#')
    const target = path === '' ? file : fileOf(path, file)
    const found = pages.get(target)
    return found !== undefined && (!anchor || found.ids.has(decodeURIComponent(anchor)))
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
  const main = /<main.*<\/main>/s.exec(html)?.[0] ?? ''
  return {
    ids: new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
    links: [...main.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, link]) => link),
  }
}
