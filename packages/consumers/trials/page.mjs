import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const START = fileURLToPath(new URL('../../../docs/start', import.meta.url))

/** The pages in the order of the site, and how each is begun. */
export const PAGES = [
  'express',
  'fastify',
  'hono',
  'koa',
  'nestjs',
  'node',
  'sveltekit',
  'nuxt',
  'elysia',
  'request',
  'aws-lambda',
]

/** What a line that starts a server says about the language or the runtime. The first one that fits counts. */
const VARIATIONS = [
  ['Next.js', /\bnext dev\b/],
  ['Cloudflare Workers', /\bwrangler dev\b/],
  ['Bun', /\bbun \S+$/],
  ['Deno', /\bdeno serve\b/],
  ['TypeScript', /\btsx \S+\.ts$|\b(vite|nuxt) dev\b/],
  ['JavaScript', /\bnode \S+\.js$/],
]

/**
 * What a page tells a reader to do, once for each line that starts a server. Nothing is known here but how a page is laid out: an
 * install block, a file with its name, the lines that start it, and the commands that send a delivery.
 */
export function trialsOf(page) {
  const text = readFileSync(join(START, `${page}.md`), 'utf8')
  const title = /^# (.*)$/m.exec(text)[1]
  const blocks = [...text.matchAll(/^```(\w+)(?: \[(\S+)\])?(?: needs=\S+)?\n(.*?)^```$/gms)].map(
    ([, language, file, code]) => ({ language, file, code }),
  )
  const shell = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code)
  const install = shell[0].trim().split('\n')
  const [genuine, forged] = shell.filter((code) => code.includes('@webhook-receiver/cli send'))
  const node = Number(/^.*You need Node (\d+)/m.exec(text)?.[1] ?? 0)
  const secret = genuine.split('\n').find((line) => line.startsWith('export '))
  const trials = []
  let server
  let create = []
  // Settings that a server needs beside it.
  const settings = blocks.filter(({ language, file }) => language === 'json' && file)
  for (const { language, file, code } of blocks) {
    if (file && language !== 'json') server = { file, code }
    const lines = language === 'sh' ? code.trim().split('\n') : []
    const creating = lines.filter((line) => line.startsWith('npx create-'))
    if (creating.length > 0) create = creating
    for (const line of lines) {
      const variation = VARIATIONS.find(([, pattern]) => pattern.test(line))?.[0]
      if (variation === undefined) continue
      trials.push({
        page,
        title,
        variation,
        node,
        install: [...create, ...install.filter((each) => isFor(variation, each))],
        file: fileOf(line, server.file),
        code: server.code,
        settings,
        start: line,
        genuine,
        forged: `${secret}\n${forged}`,
      })
      if (variation === 'Next.js') create = []
    }
  }
  return trials
}

/** As the page says: who writes JavaScript leaves the tools of TypeScript out. */
function isFor(variation, line) {
  return variation !== 'JavaScript' || !line.includes('--save-dev')
}

/** The page names one file, and starts it by the name that it has in JavaScript too. */
function fileOf(line, named) {
  return /\bnode (\S+\.js)$/.exec(line)?.[1] ?? named
}
