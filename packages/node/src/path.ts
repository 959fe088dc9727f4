import { checkValue, stringRule } from '@webhook-receiver/core/adapter'
import { isUnambiguous, segmentsOf, spellings } from './request-target.ts'

/** Tells whether a request lies at the `path` option or below it. */
export type PathMatcher = (
  /** The request target, as it came and as mounts have left it. */
  targets: readonly (string | undefined)[],
  /** The paths that the framework itself reads; called only where no target matches. */
  frameworkPaths?: () => readonly unknown[],
) => boolean

/**
 * Makes the test for the `path` option of a guard that is mounted in front of a router.
 *
 * A guard that is stricter than the router behind it lets forged requests through, so this one is looser than every
 * router. Each of three rules is enough to cover a request:
 *
 * 1. Our own readings match: without regard to case, percent-encoding, empty segments, dot segments, a
 *    trailing slash and sub-paths.
 * 2. The framework's own reading of the request matches, or cannot be had.
 * 3. The target is one that URL parsers read in different ways, and contains the last segment of `path` anywhere.
 *    A router can only find a name that is there.
 *
 * @throws TypeError if `path` is not a string that begins with a slash.
 */
export function pathMatcher(path: unknown): PathMatcher {
  const guarded = checkValue('path', path, PATH)
  const wanted = readings(guarded)
  const segments = segmentsOf(wanted.at(-1) ?? '')
  const name = segments.at(-1) ?? ''

  function isCovered(target: unknown = '/'): boolean {
    if (typeof target !== 'string') return false
    // Most deliveries ask for exactly this; the readings cost as much as the verification.
    if (target === guarded) return true
    const matches = readings(target).some((reading) =>
      wanted.some((prefix) => reading === prefix || reading.startsWith(`${prefix}/`)),
    )
    if (matches || isUnambiguous(target, segments.length)) return matches
    return spellings(target).some((spelling) => spelling.includes(name))
  }

  return ([target, ...others], frameworkPaths) => {
    // Without a mount, the target is the same before and after it.
    if (isCovered(target) || others.some((other) => other !== target && isCovered(other)))
      return true
    try {
      return frameworkPaths?.().some((read) => read !== target && isCovered(read)) ?? false
    } catch {
      // The framework cannot read the target. Nothing says where the request would go.
      return true
    }
  }
}

const PATH = stringRule(
  "a plain path that begins with a slash, such as '/webhooks'",
  /^\/[^?#*:]*$/,
)

/** A target that reads the same for everyone, but for the case of its letters. */
const ORDINARY = /^((?:\/[\w~-][\w.~-]*)+)\/?(?:\?[!-"$-~]*)?$/

/**
 * A target's path in every way that a router may read it: decoded or not, with `..` resolved or not; in
 * lower case, without query, empty segments and a trailing slash. The root is the empty string. The last is the most
 * thoroughly decoded.
 */
function readings(target: string): readonly string[] {
  const ordinary = ORDINARY.exec(target)?.[1]
  if (ordinary !== undefined) return [ordinary.toLowerCase()]
  const path = target
    .replaceAll('\\', '/')
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
    .replace(/[?#].*/s, '')
  return spellings(path).flatMap((spelling) => {
    const segments = segmentsOf(spelling.replaceAll('\\', '/'))
    return [joined(segments), joined(resolved(segments))]
  })
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
