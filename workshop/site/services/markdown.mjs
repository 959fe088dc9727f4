// Markdown of parts that may be missing.

export function listed(texts, word = 'and') {
  return texts.length < 2
    ? texts.join()
    : `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`
}

/** As code. */
export function quoted(texts, word) {
  return listed(
    texts.map((text) => `\`${text}\``),
    word,
  )
}

export function fence(info, text) {
  return `\`\`\`${info}\n${text}\n\`\`\``
}

/** A reader who does not need it sees one line. */
export function folded(summary, text) {
  return `<details>\n<summary>${summary}</summary>\n\n${text}\n\n</details>`
}

export function paragraphs(...texts) {
  return texts.filter(Boolean).join('\n\n')
}

export function sentences(...texts) {
  return texts.filter(Boolean).join(' ')
}

/** Behind a colon or a name, the first letter is no capital, unless it begins a name such as `IDs`. */
export function lowercase(text) {
  return text.replace(/^[A-Z](?=[a-z\s])/, (letter) => letter.toLowerCase())
}

export function durationOf(seconds) {
  if (seconds === undefined) return 'none'
  if (seconds % 3600 === 0) return `${seconds / 3600} hours`
  return seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`
}
