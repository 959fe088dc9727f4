import { stripVTControlCharacters, styleText } from 'node:util'

// `hasColors` also heeds NO_COLOR, and is not there where the output is not a terminal.
const COLOURED = process.stdout.hasColors?.() ?? false

const GAP = '   '

/** A table for the terminal. Its texts may have colours; a row that is one text is a heading. */
export function terminalTable(head, rows) {
  const full = [head, ...rows.filter(Array.isArray)]
  const widths = head.map((_, column) => Math.max(...full.map((row) => widthOf(row[column]))))
  const line = (row) =>
    row
      .map((text, column) => padded(text, widths[column]))
      .join(GAP)
      .trimEnd()
  const rule = '─'.repeat(
    widths.reduce((sum, width) => sum + width) + GAP.length * (head.length - 1),
  )
  return [
    styled('bold', line(head)),
    rule,
    ...rows.map((row) => (Array.isArray(row) ? line(row) : `\n${styled('bold', row)}`)),
  ].join('\n')
}

/** A table for a document. With `numeric` every column but the first is aligned to the right. */
export function markdownTable(head, rows, { numeric = false } = {}) {
  const line = (cells) =>
    `| ${cells.map((text) => String(text).replaceAll('|', '\\|')).join(' | ')} |`
  const rule = head.map((_, column) => (numeric && column > 0 ? '---:' : '---'))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

/** What became of one delivery: right or wrong, the response, what the handler saw, the time. */
export function cell({ outcome, seen, milliseconds, problems }) {
  const time = `${Math.round(milliseconds)} ms`.padStart(6)
  return `${tick(problems.length === 0)} ${outcome} ${seen.padEnd(4)} ${styled('dim', time)}`
}

export function tick(right) {
  return right ? styled('green', '✓') : styled('red', '✗')
}

/** Breaks a long line at spaces. */
export function wrap(text, indent, width = 100) {
  const lines = ['']
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trimStart()
    if (indent.length + longer.length > width) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines.map((line) => indent + line).join('\n')
}

function styled(style, text) {
  return COLOURED ? styleText(style, text) : text
}

function padded(text, width) {
  return text + ' '.repeat(width - widthOf(text))
}

function widthOf(text) {
  return stripVTControlCharacters(text).length
}
