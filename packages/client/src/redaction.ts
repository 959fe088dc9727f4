/** Takes a word out of a text. */
export type Redact = (text: string) => string

/** Makes a function that takes a word out of a text, as it is and as JSON may write it. */
export function redaction(word: string, mask: string): Redact {
  const json = JSON.stringify(word).slice(1, -1)
  const spellings = [...new Set([word, json, json.replaceAll('/', '\\/')])]
  return (text) => spellings.reduce((left, spelling) => left.replaceAll(spelling, mask), text)
}

/** Cuts off what may be the beginning of the word, at the end of a text that was cut there. */
export function withoutBeginning(text: string, word: string): string {
  for (let length = Math.min(word.length, text.length); length > 0; length--) {
    if (text.endsWith(word.slice(0, length))) return text.slice(0, -length)
  }
  return text
}

/**
 * Takes a word out of every string within a parsed JSON value. One of less than 8 characters is left:
 * it is no real credential, and would tear up words that only happen to contain it.
 */
export function redactedValue(
  value: unknown,
  words: readonly (readonly [string, Redact])[],
): unknown {
  if (typeof value === 'string') {
    return words.reduce((left, [word, redact]) => (word.length < 8 ? left : redact(left)), value)
  }
  if (Array.isArray(value)) return value.map((item) => redactedValue(item, words))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, redactedValue(member, words)]),
  )
}
