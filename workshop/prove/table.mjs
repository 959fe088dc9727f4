import { stripVTControlCharacters, styleText } from 'node:util'

// `hasColors` also heeds NO_COLOR, and is not there where the output is not a terminal.
const COLOURED = process.stdout.hasColors?.() ?? false

const GAP = '   '

/** A table for the terminal. Its texts may have colours. */
export function terminalTable(head, rows) {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => widthOf(row[column]))),
  )
  const line = (row) =>
    row
      .map((text, column) => text + ' '.repeat(widths[column] - widthOf(text)))
      .join(GAP)
      .trimEnd()
  const rule = '─'.repeat(
    widths.reduce((sum, width) => sum + width) + GAP.length * (head.length - 1),
  )
  return [styled('bold', line(head)), rule, ...rows.map(line)].join('\n')
}

/** A table for a document. */
export function markdownTable(head, rows) {
  const line = (cells) =>
    `| ${cells.map((text) => String(text).replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export function tick(right) {
  return right ? styled('green', '✓') : styled('red', '✗')
}

function styled(style, text) {
  return COLOURED ? styleText(style, text) : text
}

function widthOf(text) {
  return stripVTControlCharacters(text).length
}
