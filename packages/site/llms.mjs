// https://llmstxt.org: an index of the documentation, and all of it in one file, for language models.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sectionsOf } from './sections.mjs'
import { DOCS } from './sources.mjs'

const HEAD = `# webhook-receiver

> Receive signed webhooks on Express, Fastify, Hono, Koa, Node and web-standard Request.
`

/** Writes llms.txt and llms-full.txt into the built site, in the order of its sidebar. */
export function writeTextForModels({ outDir, base }) {
  const sections = sectionsOf(DOCS).map(({ title, pages }) => ({
    title,
    pages: pages.flatMap((page) => [page, ...(page.pages ?? [])]),
  }))
  const index = sections.map(({ title, pages }) => {
    const links = pages.map((page) => `- [${page.title}](${base}${page.link.slice(1)})`)
    return `\n## ${title}\n\n${links.join('\n')}\n`
  })
  const texts = sections.flatMap(({ pages }) => pages.map(({ file }) => textOf(file)))
  writeFileSync(join(outDir, 'llms.txt'), HEAD + index.join(''))
  writeFileSync(join(outDir, 'llms-full.txt'), [HEAD, ...texts].join('\n---\n\n'))
}

function textOf(file) {
  return `Source: docs/${file}\n\n${readFileSync(join(DOCS, file), 'utf8')}`
}
