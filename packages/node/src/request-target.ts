/** What no client sends in a request target, and what parsers disagree about: fragments, white space, control characters. */
const IRREGULAR = /[#\s\p{Cc}\p{Cf}]/u

/**
 * Printable ASCII without the backslash, which some parsers take for a slash, and without the escapes of what would
 * mean something else if it were decoded first: control characters, `#`, `%`, `?` and the backslash.
 */
const PATH = /^(?:(?!%(?:[01][\da-f]|2[35]|3f|5c|7f))[!-[\]-~])*$/i

const DOT_SEGMENT = /(?:\/|%2f)(?:\.|%2e){1,2}(?:\/|%2f|$)/i

const EMPTY_SEGMENT = /(?:\/|%2f){2}/i

/**
 * Whether every URL parser finds the same path in a request target, apart from percent-encoding and case. Then a
 * router finds no more in it than we do.
 *
 * What begins with two slashes has a host for some parsers. So has what a mount leaves of a target, when it cuts
 * a prefix off: up to `depth` segments in front of two slashes.
 */
export function isUnambiguous(target: string, depth: number): boolean {
  if (IRREGULAR.test(target)) return false
  const path = target.replace(/^https?:\/\/[\w.:[\]-]+(?=\/)/i, '').replace(/\?.*/s, '')
  if (!path.startsWith('/') || !PATH.test(path) || DOT_SEGMENT.test(path)) return false
  const empty = path.search(EMPTY_SEGMENT)
  return empty < 0 || segmentsOf(path.slice(0, empty).replace(/%2f/gi, '/')).length >= depth
}

/** How often a text is decoded. Routers decode once; a handler behind one may do so again. */
const DECODINGS = 2

/** A text as it stands and decoded, in lower case, with and without what parsers remove from a URL. */
export function spellings(text: string): readonly string[] {
  const found = [folded(text)]
  for (let decoding = 0; decoding < DECODINGS; decoding++) {
    const last = found[decoding] ?? ''
    const next = folded(decoded(last))
    if (next === last) break
    found.push(next)
  }
  if (!IRREGULAR.test(text)) return found
  return found.flatMap((spelling) => [spelling, spelling.replace(/[\s\p{Cc}\p{Cf}]+/gu, '')])
}

/** The segments of a path without the empty ones and those of a single dot. */
export function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.')
}

/** Upper case first: letters that differ only there are the same letter for an expression without regard to case. */
function folded(text: string): string {
  return text.toUpperCase().toLowerCase()
}

/** Each run of escapes on its own: one that is malformed must not keep the others from being read. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })
}
