/**
 * Whether more than `limit` containers stand inside one another in a valid JSON text. A text with few containers, as most
 * are, is not read character by character.
 */
export function isDeeperThan(limit: number, json: string): boolean {
  return hasMoreContainers(limit, json) && hasMoreLevels(limit, json)
}

function hasMoreContainers(limit: number, json: string): boolean {
  let found = 0
  for (const opening of ['{', '[']) {
    for (let at = json.indexOf(opening); at >= 0; at = json.indexOf(opening, at + 1)) {
      found++
      if (found > limit) return true
    }
  }
  return false
}

function hasMoreLevels(limit: number, json: string): boolean {
  let levels = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(json, at)
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      levels++
      if (levels > limit) return true
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) levels--
  }
  return false
}

/** Where the string ends that begins at `start`: at a quote behind an even number of backslashes. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end
}

function isEscaped(json: string, at: number): boolean {
  let before = at
  while (json.charCodeAt(before - 1) === BACKSLASH) before--
  return (at - before) % 2 === 1
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
