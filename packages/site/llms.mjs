// https://llmstxt.org: an index of the documentation, its pages as Markdown, and those that users need in one file.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sectionsOf } from './sections.mjs'
import { BASE, DOCS } from './sources.mjs'

const HEAD = `# webhook-receiver

> Receive signed webhooks on Express, Fastify, Hono, Koa, Node and web-standard Request.
`

/** Figures: of no help to someone who writes a receiver. */
const NOT_IN_FULL = ['bench.md', 'decisions/README.md', 'evidence/README.md']

/** Writes llms.txt, llms-full.txt and the pages into the built site, in the order of its sidebar. */
export function writeTextForModels(outDir) {
  const sections = sectionsOf(DOCS)
  const index = sections.map(({ title, pages }) => {
    const links = pages.map((page) => `- [${page.title}](${BASE}${page.file})`)
    return `\n## ${title}\n\n${links.join('\n')}\n`
  })
  writeFileSync(join(outDir, 'llms.txt'), HEAD + index.join(''))

  const pages = sections.flatMap((section) => section.pages)
  for (const { file } of pages.flatMap((page) => [page, ...(page.pages ?? [])])) {
    mkdirSync(dirname(join(outDir, file)), { recursive: true })
    writeFileSync(join(outDir, file), textOf(file))
  }

  const full = pages.map(({ file }) => file).filter((file) => !NOT_IN_FULL.includes(file))
  const texts = full.map((file) => `Source: docs/${file}\n\n${textOf(file)}`)
  writeFileSync(join(outDir, 'llms-full.txt'), [HEAD, ...texts].join('\n---\n\n'))
}

function textOf(file) {
  return readFileSync(join(DOCS, file), 'utf8')
}
