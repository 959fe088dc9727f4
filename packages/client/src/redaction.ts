import { type Escaped, escapeLayers } from './escapes.ts'

/** Takes a word out of a text; of one that was cut also what may be its beginning, at the end. */
export type Redact = (text: string, isCut?: boolean) => string

/** In characters. What is shorter is no real credential, and is in words that have nothing to do with it. */
const SHORTEST_CREDENTIAL = 8

/** In characters. A longer word is recognised by its beginning, and the rest of the text goes with it. */
const LONGEST_NEEDLE = 4096

/** In characters: escapes that were cut, within one another. */
const LONGEST_ESCAPES = 32

/** In containers. A service does not go deeper; what does would end `JSON.stringify` of the record. */
const MAX_DEPTH = 64

/**
 * Makes a function that takes a word out of a text: as it is, percent-encoded or escaped in JSON, both
 * also several times over, and in Base64.
 */
export function redaction(word: string, mask: string): Redact {
  const needles = needlesFor(word.slice(0, LONGEST_NEEDLE))
  const isShortened = word.length > LONGEST_NEEDLE
  return (text, isCut = false) => {
    const layers = escapeLayers(text)
    const end = isCut ? Math.min(...layers.map((layer) => endWithout(layer, needles))) : text.length
    const spans = layers.flatMap((layer) => spansOf(layer, needles))
    return masked(
      text.slice(0, end),
      isShortened ? spans.map(([start]) => [start, end]) : spans,
      mask,
    )
  }
}

/** A credential and what takes it out of a text. */
export type Credential = readonly [word: string, redact: Redact]

/**
 * Takes credentials out of every string and member name of a parsed JSON value. Those of less than 8
 * characters are left. What is nested in more than 64 containers is replaced.
 */
export function redactedValue(
  value: unknown,
  credentials: readonly Credential[],
  depth = 0,
): unknown {
  if (typeof value === 'string') return redactedText(value, credentials)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '[nested too deeply]'
  if (Array.isArray(value)) return value.map((item) => redactedValue(item, credentials, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      redactedText(name, credentials),
      redactedValue(member, credentials, depth + 1),
    ]),
  )
}

/** Takes credentials out of a text, unless they have less than 8 characters. */
export function redactedText(text: string, credentials: readonly Credential[]): string {
  return credentials.reduce(
    (left, [word, redact]) => (word.length < SHORTEST_CREDENTIAL ? left : redact(left)),
    text,
  )
}

/** Takes out everything that has the form of a webhook's secret. */
export function withoutSecrets(text: string): string {
  return text.replace(/whsec_[\w+/=-]+/g, '[a secret]')
}

/** What to look for, once escapes are undone. */
function needlesFor(word: string): readonly string[] {
  const bytes = String.fromCharCode(...new TextEncoder().encode(word))
  if (word.length < SHORTEST_CREDENTIAL) return [...new Set([word, bytes])]
  // Where the word itself has what looks like an escape, that is undone along with the others.
  const undone = [word, bytes].flatMap((form) => escapeLayers(form).map(({ text }) => text))
  const long = undone.filter((text) => text.length >= SHORTEST_CREDENTIAL)
  return [...new Set([word, bytes, ...long, ...base64Of(bytes)])]
}

/** The Base64 of bytes, and what it is within the Base64 of a longer text, where they begin elsewhere. */
function base64Of(bytes: string): readonly string[] {
  const within = [0, 1, 2].map((offset) => {
    const bits = (offset + bytes.length) * 8
    return btoa('\0'.repeat(offset) + bytes).slice(
      Math.ceil((offset * 8) / 6),
      Math.floor(bits / 6),
    )
  })
  return [btoa(bytes), ...within].flatMap((text) => [
    text,
    text.replaceAll('+', '-').replaceAll('/', '_'),
  ])
}

type Span = readonly [start: number, end: number]

function spansOf({ text, origin }: Escaped, needles: readonly string[]): readonly Span[] {
  return needles.flatMap((needle) => {
    const spans: Span[] = []
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      spans.push([origin(at), origin(at + needle.length)])
    }
    return spans
  })
}

/** Where the original text ends without what may be the beginning of a needle. */
function endWithout({ text, origin }: Escaped, needles: readonly string[]): number {
  const escapes = /(?:%[\da-f]?|\\(?:u[\da-f]{0,3})?)+$/i.exec(text.slice(-LONGEST_ESCAPES))
  const whole = text.slice(0, text.length - (escapes?.[0].length ?? 0))
  const starts = needles.map((needle) => {
    for (let length = Math.min(needle.length - 1, whole.length); length > 0; length--) {
      if (whole.endsWith(needle.slice(0, length))) return whole.length - length
    }
    return text.length
  })
  return origin(Math.min(...starts))
}

function masked(text: string, spans: readonly Span[], mask: string): string {
  let result = ''
  let kept = 0
  for (const [start, end] of spans.toSorted(([one], [other]) => one - other)) {
    if (start >= text.length) break
    if (start >= kept) result += text.slice(kept, start) + mask
    kept = Math.max(kept, end)
  }
  return result + text.slice(kept)
}
