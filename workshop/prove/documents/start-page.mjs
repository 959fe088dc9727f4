import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeBlocks, DOCS } from './code-blocks.mjs'

/** One section for each framework in front of a comment; the rest of the page is the same for all. */
const page = readFileSync(join(DOCS, 'start.md'), 'utf8')
// On GitHub, all but the first are folded.
const [start, rest = ''] = page
  .replaceAll(/^<\/?details>\n(?:<summary>.*\n)?\n/gm, '')
  .split('<!-- end -->\n')
const SECTIONS = new Map(
  start
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
)

/** The frameworks in the order of the page. */
export const FRAMEWORKS = [...SECTIONS.keys()]

/**
 * What is the same on every framework.
 *
 * @public The site reads it, by its path.
 */
export const shared = rest

/**
 * What it says of a changed body.
 *
 * @public The site reads it, by its path.
 */
export const FORGED = /^## Send a forged one$(.*?)^## /ms.exec(rest)?.[1] ?? ''

/** What the page has below the heading of a framework. */
export function sectionOf(framework) {
  return SECTIONS.get(framework) ?? ''
}

/** What a line that starts a server says about the language or the runtime. The first one that fits counts. */
const VARIATIONS = [
  ['Bun', /\bbun \S+$/],
  ['Deno', /\bdeno serve\b/],
  ['TypeScript', /\btsx \S+\.ts$|\b(vite|nuxt|next|wrangler) dev\b/],
]

/**
 * What the page tells a reader to do, once for each line that starts a server. Nothing is known here but how the page is laid out: an
 * install block, a file with its name, the lines that start it, and the commands that send a delivery.
 */
export function trialsOf(framework) {
  const text = sectionOf(framework) + shared
  const blocks = codeBlocks(text)
  const [install, ...shell] = blocks
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code.trim().split('\n'))
  const [valid, forged] = shell
    .map((lines) => lines.join('\n'))
    .filter((code) => code.includes('npx webhook-receiver send'))
  const [secret] = valid.split('\n')
  const settings = blocks.filter(({ language, file }) => language === 'json' && file)
  const server = blocks.find(({ language, file }) => language === 'ts' && file)
  const log = blocks.findLast(({ language }) => language === 'text')
  const common = {
    framework,
    node: Number(/You need Node (\d+)/.exec(text)?.[1] ?? 0),
    settings,
    code: server.code,
    valid,
    forged: `${secret}\n${forged}`,
    // Up to what stands for the rest.
    logged: log.code.replace(/\s*…\s*$/, ''),
  }
  return shell.flat().flatMap((start) => {
    const variation = VARIATIONS.find(([, pattern]) => pattern.test(start))?.[0]
    if (variation === undefined) return []
    const trial = { ...common, variation, install, file: server.file, start }
    return isTypeScriptOnly(start, settings) ? [trial] : [trial, inJavaScript(trial)]
  })
}

/** A framework that compiles the file itself, or a server that needs settings of TypeScript. */
function isTypeScriptOnly(start, settings) {
  return settings.length > 0 || !/\btsx\b/.test(start)
}

/** As the page says: another ending, no development dependencies, and `node`. */
function inJavaScript(trial) {
  return {
    ...trial,
    variation: 'JavaScript',
    install: trial.install.filter((line) => !line.includes('--save-dev')),
    file: trial.file.replace(/\.ts$/, '.js'),
    start: trial.start.replace(/npx tsx (\S+)\.ts$/, 'node $1.js'),
  }
}
