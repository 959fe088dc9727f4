/** A table in Markdown. A bar would end the cell. */
export function table(head, rows) {
  const line = (cells) =>
    `| ${cells.map((text) => String(text).replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
