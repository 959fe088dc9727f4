/** A table in Markdown. */
export function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows.map((cells) => cells.map(escaped))]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** A bar would end the cell. */
function escaped(cell) {
  return cell.replaceAll('|', '\\|')
}
