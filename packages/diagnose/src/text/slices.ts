import { joined, utf8 } from './encodings.ts'
import type { Pace } from './pace.ts'

/** How many characters or bytes one step changes. */
export const SLICE = 8192

/** The largest form of a body that is tried, in bytes. */
export const MAX_FORM: number = 2 * 1024 * 1024

/** The cost of one character or byte of a slice. It is that of the slowest change. */
const COST = 150

/** Whether text may be cut before a position without changing the result for its slices. */
export type Cut = (text: string, at: number) => boolean

/**
 * Changes slices one at a time and joins the results. `undefined` where `change` returns `undefined` or throws, where a slice is
 * `undefined`, and where the result is larger than `MAX_FORM`.
 */
export async function changed<Slice extends { readonly length: number }>(
  slices: Iterable<Slice | undefined>,
  change: (slice: Slice) => string | Uint8Array | undefined,
  pace: Pace,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  for (const slice of slices) {
    if (slice === undefined) return undefined
    await pace(slice.length * COST)
    const part = tryChange(change, slice)
    if (part === undefined) return undefined
    const bytes = typeof part === 'string' ? utf8(part) : part
    length += bytes.length
    if (length > MAX_FORM) return undefined
    parts.push(bytes)
  }
  return joined(...parts)
}

function tryChange<Slice, Result>(
  change: (slice: Slice) => Result,
  slice: Slice,
): Result | undefined {
  try {
    return change(slice)
  } catch {
    return undefined
  }
}

/** Slices of text; the last one is `undefined` where there is no place to cut in half a slice. */
export function* slicesOf(
  text: string,
  mayCut: Cut = betweenCharacters,
): Iterable<string | undefined> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + SLICE, text.length)
    while (end < text.length && !mayCut(text, end)) {
      end--
      if (end <= start + SLICE / 2) return yield undefined
    }
    yield text.slice(start, end)
    start = end
  }
}

/** Slices of bytes that cut no character of UTF-8. */
export function* byteSlicesOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let start = 0; start < bytes.length; ) {
    const end = Math.min(start + SLICE, bytes.length)
    // No character has four continuation bytes in a row.
    const back = [0, 1, 2, 3].find((count) => !isContinuation(bytes[end - count])) ?? 0
    yield bytes.subarray(start, end - back)
    start = end - back
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

/** Not between the two halves of a surrogate pair. */
function betweenCharacters(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) !== 0xdc00
}

/** Not inside a CRLF either. */
export function betweenLines(text: string, at: number): boolean {
  return !(text[at] === '\n' && text[at - 1] === '\r') && betweenCharacters(text, at)
}

/** Not inside an escape of a JSON string either. */
export function betweenEscapes(text: string, at: number): boolean {
  return text[at - 1] !== '\\' && betweenCharacters(text, at)
}

/** Tells different forms of a body apart (FNV-1a). Not cryptographic: a collision only hides a form. */
export async function checksumOf(bytes: Uint8Array, pace: Pace): Promise<string> {
  let hash = 0x811c9dc5
  for (const slice of byteSlicesOf(bytes)) {
    // This includes the cost of the copies and encodings that made the bytes.
    await pace(slice.length * 10)
    for (const byte of slice) hash = Math.imul(hash ^ byte, 0x01000193)
  }
  return `${bytes.length} ${hash}`
}
