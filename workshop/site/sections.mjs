// The parts of the site with their pages, as the indexes name them that are read on GitHub, too.
import { dirname, join, normalize } from 'node:path'
import { made } from './made.mjs'
import { fileOnSite, read } from './sources.mjs'
import { startPages } from './start.mjs'

const INDEX = 'docs/README.md'
const SERVICES = 'docs/services/README.md'
const PACKAGES = 'docs/reference/packages.md'

/** A link anywhere, and one at the beginning of a row. */
const LINK = /\[([^\]]+)\]\(([\w./-]+)\)/g
const ROW = /^\| \[([^\]]+)\]\(([\w./-]+)\)/gm

/** What the pages of each part lead to, but no menu. */
const UNLISTED = {
  Guides: startPages.slice(1).map(pageOf),
  'How it works': pagesIn('docs/decisions/README.md'),
}

/** The parts of the site. Each has its sidebar: groups of pages, and of each page the file in the repository, the title and the address. */
export const sections = partsOf(INDEX).map(({ title, text }) => {
  const groups = [...text.matchAll(/^- (?:\*\*(.*):\*\* )?(.*)$/gm)].map(([, name = '', list]) => ({
    name,
    pages: [...pagesIn(INDEX, list), ...made.filter(({ group }) => group === name).map(pageOf)],
  }))
  const index = { Services: SERVICES, Packages: PACKAGES }[title]
  if (index) {
    const tables = partsOf(index).map((part) => ({
      name: part.title,
      pages: pagesIn(index, part.text, ROW),
    }))
    groups.push(...tables.filter((each) => each.pages.length > 0))
  }
  const listed = groups.flatMap((group) => group.pages)
  return { title, groups, listed, pages: [...listed, ...(UNLISTED[title] ?? [])] }
})

export const pages = sections.flatMap((section) => section.pages)

/** What is below each heading of level 2. */
function partsOf(file) {
  const [, ...parts] = read(file).split(/^## /m)
  return parts.map((text) => ({ title: text.slice(0, text.indexOf('\n')), text }))
}

function pagesIn(index, text = read(index), pattern = LINK) {
  return [...text.matchAll(pattern)].map(([, name, path]) => {
    const target = normalize(join(dirname(index), path))
    return pageOf({
      file: target.endsWith('.md') ? target : join(target, 'README.md'),
      title: name.replaceAll('`', '').replace('@webhook-receiver/', ''),
    })
  })
}

function pageOf({ file, title }) {
  return { file, title, link: `/${fileOnSite(file).replace(/(?:(^|\/)index)?\.md$/, '$1')}` }
}
