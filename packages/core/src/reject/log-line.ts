/** A value that anyone may have sent, in quotes and fit for a log line. */
export function quoted(value: string, length = 40): string {
  return oneLine(JSON.stringify(value.length > length ? `${value.slice(0, length)}…` : value))
}

/** Text of others, in one line, of bounded length, and without what controls a terminal or the direction of text. */
export function oneLine(text: string): string {
  return text.slice(0, 200).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
}
