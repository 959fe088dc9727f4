// https://llmstxt.org: an index of the documentation, its pages as Markdown, all of them in one file, and the least in a small one.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sections } from './sections.mjs'
import { BASE, fileOnSite, ORIGIN } from './sources.mjs'
import { firstSentence, textOf } from './text.mjs'

const HEAD = `# webhook-receiver

> Verify webhooks from Stripe, GitHub, OpenAI, Clerk, Slack and other providers in one line, on Express, Next.js, Hono, Fastify, NestJS, Koa, AWS Lambda, Workers and Node.
`

/** What somebody needs who writes a receiver. */
const SMALL = [
  'packages/schemes/skill/SKILL.md',
  'docs/handling.md',
  'docs/guides/body-parsers.md',
  'docs/guides/signature-does-not-match.md',
]

/** Of no help to someone who writes a receiver. */
const NOT_IN_FULL = ['How it works']

/** Writes llms.txt, llms-small.txt, llms-full.txt and the pages into the built site, in the order of its menus. */
export function writeTextForModels(outDir) {
  const write = (file, text) => {
    mkdirSync(dirname(join(outDir, file)), { recursive: true })
    writeFileSync(join(outDir, file), text)
  }
  const lists = sections.map(({ title, groups }) => {
    const lines = groups.flatMap(({ pages }) =>
      pages.map(
        (page) => `- [${page.title}](${addressOf(page.file)}): ${firstSentence(textOf(page.file))}`,
      ),
    )
    return `\n## ${title}\n\n${lines.join('\n')}\n`
  })
  const small = `\nThe least that a receiver needs: ${ORIGIN}${BASE}llms-small.txt\n`
  write('llms.txt', HEAD + small + lists.join(''))
  for (const { groups } of sections) {
    for (const { file } of groups.flatMap(({ pages }) => pages))
      write(fileOnSite(file), textOf(file))
  }
  const full = sections
    .filter(({ title }) => !NOT_IN_FULL.includes(title))
    .flatMap(({ groups }) => groups.flatMap(({ pages }) => pages.map(({ file }) => file)))
  write('llms-full.txt', [HEAD, ...full.map(withSource)].join('\n---\n\n'))
  write('llms-small.txt', [HEAD, ...SMALL.map(withSource)].join('\n---\n\n'))
}

function withSource(file) {
  return `Source: ${file}\n\n${textOf(file)}`
}

function addressOf(file) {
  return `${ORIGIN}${BASE}${fileOnSite(file)}`
}
