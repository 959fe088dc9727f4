import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const DOCS = fileURLToPath(new URL('../../../docs', import.meta.url))

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

/**
 * The code of the block that is this file, with each text replaced that stands in front of another.
 *
 * @param {string} page
 * @param {string} name
 * @param {readonly (readonly [from: string, to: string])[]} [changes]
 */
export function changedBlock(page, name, changes = []) {
  const block = codeBlocks(page).find(({ file }) => file === name)
  if (!block) throw new Error(`There is no block ${name}.`)
  return changes.reduce((code, [from, to]) => {
    if (!code.includes(from)) throw new Error(`${name} has no ${from}`)
    return code.replaceAll(from, to)
  }, block.code)
}

/** Whether the checkout has what is needed to check its types. */
export function isCompiled({ language, needs }) {
  return /^(?:ts|js)$/.test(language) && needs.length === 0
}

/**
 * The blocks that the checkout cannot compile, because they name packages with `needs=`, and those of the guides that are a server.
 *
 * @typedef {{ document: string, heading: string, code: string, needs: readonly string[], isServer: boolean, beside: readonly CodeBlock[] }} Block `beside` are the blocks
 * of the page that it imports
 * @returns {Block[]}
 */
export function findBlocks() {
  const documents = readdirSync(DOCS, { recursive: true }).filter(isSearched)
  return documents.sort().flatMap((document) => {
    const page = readFileSync(join(DOCS, document), 'utf8')
    const all = codeBlocks(page)
    return (
      all
        .filter(({ language }) => language === 'ts')
        .map(({ code, needs, index }) => ({
          document,
          heading: headingAbove(page, index),
          code,
          needs,
          beside: all.filter(({ file }) => code.includes(`'./${file.replace(/ts$/, 'js')}'`)),
          // Without a database, and of a format by which `receiveIn` signs.
          isServer:
            /\.listen\(3000\)/.test(code) &&
            /\b(?:STRIPE_)?WEBHOOK_SECRET\b/.test(code) &&
            !code.includes('DATABASE_URL'),
        }))
        // Only guides show whole servers that need nothing but this checkout.
        .filter(
          ({ needs, isServer }) => needs.length > 0 || (isServer && document.startsWith('guides/')),
        )
    )
  })
}

/** `npm run prove -- start` follows the first page, and `orms` runs the recipes of that guide. */
function isSearched(name) {
  return name.endsWith('.md') && !['start.md', 'guides/orms.md'].includes(name)
}

function headingAbove(page, index) {
  return [...page.slice(0, index).matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? ''
}
