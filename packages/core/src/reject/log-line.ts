import { SITE } from './addresses.ts'

/** A value that anyone may have sent, in quotes and fit for a log line. */
export function quoted(value: string, length = 40): string {
  return oneLine(JSON.stringify(value.length > length ? `${value.slice(0, length)}…` : value))
}

/** Text of others, in one line, of bounded length, and without what controls a terminal or the direction of text. */
export function oneLine(text: string): string {
  return text.slice(0, 200).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
}

/** What a terminal interprets, but for line breaks and tabs: controls, marks of direction, and other line separators. */
const OBEYED = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** Text of others in several lines, such as the stack of an error: what a terminal interprets is written as an escape. */
export function escapeControls(text: string): string {
  return text.replace(
    OBEYED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The most characters of a line, without its link. */
export const LONGEST_LINE = 160

/** Text of others, as far as a line has room for it. */
export function briefly(text: string): string {
  const line = oneLine(text)
  return line.length > 40 ? `${line.slice(0, 39)}…` : line
}

/** Which endpoint it was: its name, or its path. A query can contain private data. */
export function placeOf(endpoint: string | undefined, url: string | undefined): string {
  if (endpoint !== undefined) return ` at ${endpoint}`
  if (url === undefined) return ''
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*/s, '')
  return ` at ${briefly(path)}`
}

/** Lines of at most 80 characters, each indented by two. What stands between braces stays together. */
export function wrapped(text: string): string {
  const kept = text.replace(/\{ (\w+) \}/g, '{\0$1\0}')
  return kept.replace(/(.{1,78})(?: +|$)/g, '\n  $1').replaceAll('\0', ' ')
}

/** Where a reason is explained; for a signature or its time, where the request can be examined as one of this scheme. */
export function pageOf(reason: string, scheme: string | undefined, isExamined: boolean): string {
  const prefix = scheme === undefined ? '' : `${scheme}/`
  const page = isExamined && /^(?:sign|time)/.test(reason) ? `debugger#${prefix}` : 'errors#'
  return pageAt(page + reason)
}

/** A page of the documentation. */
export function pageAt(path: string): string {
  return `${SITE}/${path}`
}

/** An address as people write it: that of IPv4 is often written in the form of IPv6. */
export function shownAddress(address: string): string {
  return oneLine(address.replace(/^::ffff:(?=[\d.]+$)/, ''))
}
