// Prints how readable the documents are: the words in a sentence, and the share of sentences that are hard to read.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { flag, readCommandLine, text } from '@webhook-receiver/tools/command-line.mjs'
import { markdownTable, terminalTable } from '@webhook-receiver/tools/table.mjs'
import { measure } from './prose.mjs'

const USAGE = `Usage: npm run readability [-- OPTIONS]

Measures the prose of the Markdown documents with retext-readability. Code blocks and tables are left out.

  --at COMMIT   measure the documents of a commit (default: the files in the folder)
  --only TEXT   measure only documents that have the text in their path
  --hard        print the sentences that are hard to read
  --markdown    print the table as Markdown`

const { at, only, hard, markdown } = readCommandLine(USAGE, {
  at: text(),
  only: text(),
  hard: flag(),
  markdown: flag(),
})

const root = join(import.meta.dirname, '../..')
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })

const results = []
for (const name of listDocuments()) {
  results.push({ name, ...(await measure(readDocument(name))) })
}
if (hard) {
  for (const { name, hard: found } of results) {
    if (found.length > 0) console.log(`${name}\n  ${found.join('\n  ')}\n`)
  }
}
const print = markdown ? markdownTable : terminalTable
const rows = results.filter(({ sentences }) => sentences > 0).map(toRow)
console.log(
  print(
    ['document', 'sentences', 'words per sentence', 'over 25 words', 'hard to read'],
    [...rows, toRow(total(results))],
    { numeric: true },
  ),
)

function listDocuments() {
  const listed = at
    ? git('ls-tree', '-r', '--name-only', at)
    : git('ls-files', '-co', '--exclude-standard')
  return listed
    .split('\n')
    .filter(
      (name) =>
        name.endsWith('.md') && !name.startsWith('.changeset/') && !name.endsWith('CHANGELOG.md'),
    )
    .filter((name) => name !== 'docs/evidence/language.md')
    .filter((name) => only === undefined || name.includes(only))
    .sort()
}

function readDocument(name) {
  return at ? git('show', `${at}:${name}`) : readFileSync(join(root, name), 'utf8')
}

function toRow({ name, sentences, words, long, hard }) {
  const share = (count) => `${((100 * count) / sentences).toFixed(1)} %`
  return [name, String(sentences), (words / sentences).toFixed(1), share(long), share(hard.length)]
}

function total(documents) {
  const sum = (key) => documents.reduce((count, document) => count + document[key], 0)
  return {
    name: 'all documents',
    sentences: sum('sentences'),
    words: sum('words'),
    long: sum('long'),
    hard: documents.flatMap((document) => document.hard),
  }
}
