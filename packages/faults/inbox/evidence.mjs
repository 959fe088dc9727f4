import { readFile, writeFile } from 'node:fs/promises'
import { markdownTable } from '@webhook-receiver/tools/table.mjs'

const FILE = new URL('../../../docs/evidence/inbox.md', import.meta.url)

/** The figures that tell one run from another: a row is written again by a run with the same. */
const NAMES = ['inbox', 'deliveries', 'conversations', 'poison', 'kills']

/** Writes a row of docs/evidence/inbox.md for each run, and leaves the other rows alone. */
export async function writeEvidence({ results }) {
  const text = await readFile(FILE, 'utf8')
  const table = /^\| inbox .*\n(?:\|.*\n)*/m.exec(text)?.[0]
  if (table === undefined) throw new Error(`${FILE.pathname} has no table of inboxes.`)
  const rows = results.map(({ figures, version, violations }) => ({
    ...figures,
    promises: violations.length === 0 ? 'kept' : violations.join('; '),
    run: `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${version}`,
  }))
  const head = Object.keys(rows[0])
  const known = table
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const nameOf = (cells) => cells.slice(0, NAMES.length).join()
  const merged = new Map(
    [...known, ...rows.map((row) => Object.values(row).map(String))].map((cells) => [
      nameOf(cells),
      cells,
    ]),
  )
  await writeFile(
    FILE,
    text.replace(table, () => `${markdownTable(head, [...merged.values()])}\n`),
  )
}
