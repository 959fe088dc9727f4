import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const DOCS = fileURLToPath(new URL('../../../../docs', import.meta.url))

/** Its language, the file that it is, and what it needs that the checkout does not have. */
const BLOCK = /^```(\w*)(?: \[(\S+)\])?(?: needs=(\S+))?\n(.*?)^```$/gms

/**
 * Every code block of a page.
 *
 * @typedef {{ language: string, file: string, needs: readonly string[], code: string, index: number }} CodeBlock
 * @param {string} page
 * @returns {CodeBlock[]}
 */
export function codeBlocks(page) {
  return [...page.matchAll(BLOCK)].map(
    ({ 1: language, 2: file = '', 3: needs = '', 4: code, index }) => ({
      ...{ language, file, code, index },
      needs: needs.split(',').filter(Boolean),
    }),
  )
}

/** Whether the checkout has what is needed to check its types. */
export function isCompiled({ language, needs }) {
  return /^(?:ts|js)$/.test(language) && needs.length === 0
}

/** What a block is, by what it exports or calls. */
const KINDS = {
  server: /\.listen\(3000\)/,
  route: /^export async function POST\(/m,
  lambda: /^export async function handler\(event\b/m,
  queue: /^export async function enqueue\(/m,
  // Its framework builds it, so only its types are checked.
  file: /^export const Route = createFileRoute\(/m,
}

/**
 * The blocks that the checkout cannot compile, because they name packages with `needs=`, and those of the guides that are a server.
 *
 * @typedef {{ document: string, heading: string, code: string, needs: readonly string[], kind: string | undefined }} Block
 * @returns {Block[]}
 */
export function findBlocks() {
  const documents = readdirSync(DOCS, { recursive: true }).filter(isSearched)
  return documents.sort().flatMap((document) => {
    const page = readFileSync(join(DOCS, document), 'utf8')
    return codeBlocks(page)
      .filter(({ language }) => language === 'ts')
      .map(({ code, needs, index }) => ({
        document,
        heading: headingAbove(page, index),
        code,
        needs,
        kind: Object.keys(KINDS).find((kind) => KINDS[kind].test(code)),
      }))
      .filter(({ needs, kind }) => needs.length > 0 || (isGuide(document) && kind !== undefined))
  })
}

/** `nestjs.md, On Express` */
export function nameOf({ document, heading }) {
  return `${basename(document)}, ${heading}`
}

/** `npm run prove -- start` follows the first page, and `orms` runs the recipes of that guide. */
export function isSearched(name) {
  return name.endsWith('.md') && !['start.md', 'guides/orms.md'].includes(name)
}

/** Only guides show whole servers that need nothing but this checkout. */
function isGuide(document) {
  return document.startsWith('guides/')
}

function headingAbove(page, index) {
  return [...page.slice(0, index).matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? ''
}
