// https://llmstxt.org: an index of the documentation, its pages as Markdown, all of them in one file, and the least in a small one.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { target } from './.vitepress/links-as-on-github.mjs'
import { pages, sections } from './sections.mjs'
import { services } from './services/services.mjs'
import { BASE, fileOnSite, ORIGIN, ROOT, SITE } from './sources.mjs'
import { startPages } from './start.mjs'
import { firstSentence, textOf } from './text.mjs'

const HEAD = `# webhook-receiver

> Verify webhooks from Stripe, GitHub, OpenAI, Clerk, Slack and other providers in one call, on Express, Next.js, Hono, Fastify, NestJS, Koa, AWS Lambda, Workers and Node.
`

const MADE = 'workshop/site/pages/'

/** What somebody needs who writes a receiver. */
const SMALL = [
  'packages/schemes/skill/SKILL.md',
  ...services.map(({ name }) => `packages/schemes/skill/services/${name}.md`),
  'docs/handling.md',
  'docs/guides/body-parsers.md',
  'docs/diagnosis.md',
]

/** Writes llms.txt, llms-small.txt, llms-full.txt and the pages into the built site, in the order of its menus. */
export function writeTextForModels(outDir) {
  const write = (file, text) => {
    mkdirSync(dirname(join(outDir, file)), { recursive: true })
    writeFileSync(join(outDir, file), text)
  }
  const writeAll = (name, files) => write(name, [HEAD, ...files.map(withSource)].join('\n---\n\n'))
  for (const { file } of pages) write(fileOnSite(file), copyOf(shownFor(file)))
  const lists = sections.map(({ title, listed }) => {
    const lines = listed.map(
      (page) => `- [${page.title}](${addressOf(page.file)}): ${firstSentence(textOf(page.file))}`,
    )
    return `\n## ${title}\n\n${lines.join('\n')}\n`
  })
  const small = `\nThe least that a receiver needs: ${ORIGIN}${BASE}llms-small.txt\n`
  write('llms.txt', HEAD + small + lists.join(''))
  writeAll('llms-small.txt', SMALL)
  // How it works is of no help to someone who writes a receiver.
  const full = sections.filter(({ title }) => title !== 'How it works')
  writeAll(
    'llms-full.txt',
    full.flatMap(({ listed }) => listed.map(({ file }) => file)),
  )
}

/** What the site shows: the frameworks of docs/start.md are pages there, and the first is where it leads. */
function shownFor(file) {
  const [first] = startPages
  return fileOnSite(file) === fileOnSite(first.file) ? first.file : file
}

function withSource(file) {
  const isPage = fileOnSite(file) !== undefined
  return `${isPage ? `Source: ${addressOf(file)}\n\n` : ''}${copyOf(file)}`
}

/** The text of a page with the addresses of the site, as it is read elsewhere; code stays. */
function copyOf(file) {
  const parts = textOf(file).split(/(^```.*?^```$)/ms)
  return parts
    .map((part) =>
      part.startsWith('```')
        ? part
        : part
            .replaceAll(/^<nav .*<\/nav>$/gm, linksOf)
            .replaceAll(/\]\(([^)\s]+)\)/g, (_, href) => `](${addressFrom(href, file)})`),
    )
    .join('')
}

/** The links to the other frameworks, which a page has in HTML. */
function linksOf(nav) {
  const links = nav.matchAll(/<a href="\.\/([\w-]+)\.html"[^>]*>([^<]+)<\/a>/g)
  return [...links].map(([, name, title]) => `[${title}](${SITE}/start/${name}.md)`).join(' · ')
}

function addressFrom(href, file) {
  // What is made has its links as from one folder.
  const document = file.startsWith(MADE) ? MADE : dirname(file)
  const path = target(href, join(ROOT, document, 'page.md'))
  return path.startsWith('/') ? SITE + path : path
}

function addressOf(file) {
  return `${ORIGIN}${BASE}${fileOnSite(file)}`
}
