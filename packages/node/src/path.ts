/**
 * Makes a test for the `path` option: whether a request's URL lies at `path` or below it.
 *
 * The routers behind a guard match without regard to case, percent-encoding or a trailing slash, and
 * mounts match every sub-path. A guard that were stricter than they are would let a forged request
 * past, so this one is looser than all of them: a request is left alone only if nothing can route it
 * to `path`.
 *
 * @throws TypeError where `path` is not a string that begins with a slash.
 */
export function pathMatcher(path: unknown): (...urls: readonly (string | undefined)[]) => boolean {
  if (typeof path !== 'string' || !path.startsWith('/') || /[?#*:]/.test(path)) {
    throw new TypeError(
      `\`path\` should be a plain path that begins with a slash, such as '/webhooks'; got ${typeof path === 'string' ? JSON.stringify(path) : String(path)}.`,
    )
  }
  const wanted = readings(path)
  const isCovered = (url = '/') =>
    // Most requests that are meant ask for just that; reading a URL costs as much as verifying a delivery.
    url === path ||
    readings(url).some((asked) =>
      wanted.some((prefix) => asked === prefix || asked.startsWith(`${prefix}/`)),
    )
  return (...urls) => urls.some(isCovered)
}

/**
 * A URL's path in every way that a router may read it: decoded or not, with `..` resolved or not; in
 * lower case, without query, empty segments and a trailing slash. The root is the empty string.
 */
function readings(url: string): readonly string[] {
  const path = url
    .replaceAll('\\', '/')
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
    .replace(/[?#].*/s, '')
    .toLowerCase()
  return [path, decoded(path)].flatMap((reading) => {
    const segments = reading.replaceAll('\\', '/').split('/').filter(isName)
    return [joined(segments), joined(resolved(segments))]
  })
}

function isName(segment: string): boolean {
  return segment !== '' && segment !== '.'
}

function joined(segments: readonly string[]): string {
  return segments.map((segment) => `/${segment}`).join('')
}

function resolved(segments: readonly string[]): readonly string[] {
  const names: string[] = []
  for (const segment of segments) {
    if (segment === '..') names.pop()
    else names.push(segment)
  }
  return names
}

/** Each run of escapes on its own: one that is malformed must not keep the others from being read. */
function decoded(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/g, (escapes) => {
    try {
      return decodeURIComponent(escapes).toLowerCase()
    } catch {
      return escapes
    }
  })
}
