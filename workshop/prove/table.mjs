/** A table for a document. */
export function markdownTable(head, rows) {
  const line = (cells) =>
    `| ${cells.map((text) => String(text).replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
