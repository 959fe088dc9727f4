// The parts of the site. A new file in one of their folders appears by itself, after those that are named here.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Each with its folder, and the pages that come first, relative to docs and without `.md`. */
export const SECTIONS = [
  {
    title: 'Start',
    folder: 'start',
    link: '/start/express',
    first: [
      'start/express',
      'start/fastify',
      'start/hono',
      'start/koa',
      'start/nestjs',
      'start/node',
      'start/sveltekit',
      'start/nuxt',
      'start/elysia',
      'start/request',
      'start/aws-lambda',
    ],
  },
  {
    title: 'Guides',
    folder: 'guides',
    link: '/handling',
    first: [
      'handling',
      'guides/signature-does-not-match',
      'guides/inspector',
      'guides/testing',
      'guides/body-parsers',
      'guides/proxies',
      'guides/secrets',
      'guides/quarantine',
      'guides/types',
      'guides/errors-and-logging',
      'observability',
      'guides/alerts',
      'guides/queues',
      'guides/message-states',
      'guides/acknowledge',
      'guides/shutdown',
      'guides/nextjs',
      'guides/nestjs',
      'guides/aws-lambda',
      'guides/typescript',
    ],
  },
  {
    title: 'Reference',
    folder: 'reference',
    link: '/reference/options',
    first: [
      'reference/options',
      'errors',
      'reference/stores',
      'reference/channels',
      'reference/telemetry',
      'reference/command-line',
      'doctor',
      'diagnosis',
      'captures',
      'reference/packages',
      'reference/glossary',
    ],
  },
  {
    title: 'How it works',
    folder: 'how-it-works',
    link: '/how-it-works/verification',
    first: [
      'how-it-works/verification',
      'how-it-works/threat-model',
      'decisions',
      'evidence',
      'bench',
    ],
  },
]

/** The sections with the titles and links of their pages; a folder has the pages in it below its own. */
export function sectionsOf(docs) {
  return SECTIONS.map(({ title, folder, first }) => {
    const others = namesIn(docs, folder).filter((name) => !first.includes(name))
    return { title, pages: [...first, ...others].flatMap((name) => pageOf(docs, name)) }
  })
}

/** None where the file does not exist: an order may name what is not written yet. */
function pageOf(docs, name) {
  const isFile = existsSync(join(docs, `${name}.md`))
  const file = isFile ? `${name}.md` : `${name}/README.md`
  if (!existsSync(join(docs, file))) return []
  const page = { file, title: titleOf(join(docs, file)), link: isFile ? `/${name}` : `/${name}/` }
  if (isFile) return [page]
  return [{ ...page, pages: namesIn(docs, name).flatMap((below) => pageOf(docs, below)) }]
}

function namesIn(docs, folder) {
  return readdirSync(join(docs, folder))
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => `${folder}/${file.slice(0, -'.md'.length)}`)
    .sort()
}

/** The first heading, without its marks. */
function titleOf(file) {
  const heading = /^# (.*)$/m.exec(readFileSync(file, 'utf8'))?.[1]
  if (heading === undefined) throw new Error(`${file} has no heading.`)
  return heading.replaceAll('`', '')
}
