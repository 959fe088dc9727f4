// The table by which core names a service that signs in another header. It has an order, so that only what is missing is added.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load, services } from './services/services.mjs'
import { ROOT } from './sources.mjs'

const FILE = 'packages/core/src/verify/other-service.ts'
/** Names that several services use come last. */
const LAST = '  // Others use these names too.\n'
const { namesOf } = await load('packages/schemes/dist/neighbours.js')

/** The file with a row for each header of a new service, if that is another text. */
export function staleHeaders() {
  const before = readFileSync(join(ROOT, FILE), 'utf8')
  const after = services.filter(({ value }) => value).reduce(withRows, before)
  return after === before ? [] : [[FILE, after]]
}

function withRows(text, { exported, value: { signature } }) {
  // Of numbered headers, the first one is there whenever another is.
  const [first, ...others] = namesOf(signature).slice(0, signature.each ? 1 : undefined)
  const missing = others.filter((header) => !rowOf(header).test(text))
  return [first, ...missing].reduce((done, header) => withRow(done, header, exported), text)
}

function withRow(text, header, name) {
  const [, before, last] = rowOf(header).exec(text) ?? []
  if (last === undefined)
    return text.replace(LAST, (comment) => `  '${header}': '${name}',\n${comment}`)
  const isThere = `${before}${last}`.split(/\W+/).includes(name)
  const begun = before.replace(/ or $/, ', ')
  return isThere ? text : text.replace(rowOf(header), () => `${begun}${last} or ${name}',`)
}

/** What stands before the last name, and that. */
function rowOf(header) {
  return new RegExp(`^(  '?${header}'?:\\s+'.*?)(\\w+)',$`, 'm')
}
