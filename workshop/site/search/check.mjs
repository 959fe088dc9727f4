// Asks the search of the built site what people ask: the first result has to be a page that says it. `npm run site:check`
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import MiniSearch from 'minisearch'
import { BASE, read } from '../sources.mjs'
import { miniSearch } from './options.mjs'

/** How many questions may have another first result. */
const MOST_WRONG = 2

const chunks = join(import.meta.dirname, '../dist/assets/chunks')
const file = readdirSync(chunks).find((name) => name.startsWith('@localSearchIndexroot'))
const { default: index } = await import(join(chunks, file))
const { options, searchOptions } = miniSearch
const search = MiniSearch.loadJSON(index, {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  searchOptions,
  ...options,
})
/** Who looks up a reason gets its section of docs/errors.md, and who looks up the code of a diagnosis, the page of these. */
const reasons = codesIn('docs/errors.md', /^### `(\w+)`/gm)
const causes = codesIn('docs/reference/diagnosis-codes.md', /^\| `(\w+_\w+)` \|/gm)
const missed = [
  ...reasons.filter((code) => !firstOf(code).endsWith(`/errors.html#${code}`)),
  ...causes.filter(
    (code) => !reasons.includes(code) && !firstOf(code).includes('/diagnosis-codes.html#'),
  ),
]
const questions = JSON.parse(read('workshop/site/search/questions.json'))
const wrong = Object.entries(questions).flatMap(([question, pages]) => {
  const [first] = search.search(question)
  const page = first?.id
    .slice(BASE.length)
    .replace(/(?:\/?index)?(?:\.html)?(?:#.*)?$/, '')
    .replace(/\/$/, '')
  const isRight = pages.length === 0 ? page === undefined : pages.includes(page)
  return isRight ? [] : [`${question}: ${page ?? 'nothing'} (${first?.id ?? ''})`]
})
const count = Object.keys(questions).length
console.log(
  [
    ...wrong,
    `${count - wrong.length} of ${count} questions lead to their page`,
    ...missed.map((code) => `${code} does not lead to its section`),
  ].join('\n'),
)
process.exitCode =
  wrong.length > MOST_WRONG || reasons.length === 0 || causes.length === 0 || missed.length > 0
    ? 1
    : 0

function codesIn(file, pattern) {
  return Array.from(read(file).matchAll(pattern), ([, code]) => code)
}

function firstOf(question) {
  return search.search(question)[0]?.id ?? ''
}
