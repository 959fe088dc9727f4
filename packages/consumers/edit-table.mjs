import { markdownTable } from '@webhook-receiver/tools/table.mjs'

/** Replaces the rows of the table with this head in a document that `markdownTable` has written. */
export function editTable(text, head, edit) {
  const start = text.indexOf(markdownTable(head, []))
  if (start < 0) throw new Error(`The record has no table of ${head.join(', ')}.`)
  const end = text.indexOf('\n\n', start)
  const [, , ...lines] = text.slice(start, end).split('\n')
  const rows = lines.map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.replaceAll('\\|', '|')),
  )
  return text.slice(0, start) + markdownTable(head, edit(rows)) + text.slice(end)
}
