import { allMaybeAsync } from '../async/all-maybe-async.ts'
import type { Scheme, SignedHead } from './scheme.ts'
import type { SecretKey } from './secret.ts'

/**
 * Finds the secret that the signature was made with; `undefined` if it is none of them.
 *
 * Every secret is tried, also behind a match, so that the time taken does not tell which one matched.
 */
export function findKey(
  scheme: Scheme,
  keys: readonly SecretKey[],
  head: SignedHead,
  body: Uint8Array,
): SecretKey | undefined | Promise<SecretKey | undefined> {
  const [only, ...others] = keys
  if (only && others.length === 0) {
    const matches = scheme.verify(only.key, head, body)
    return matches instanceof Promise
      ? matches.then((found) => (found ? only : undefined))
      : matches
        ? only
        : undefined
  }
  const verdicts = allMaybeAsync(keys.map(({ key }) => scheme.verify(key, head, body)))
  const firstOf = (found: readonly boolean[]) => keys[found.indexOf(true)]
  return verdicts instanceof Promise ? verdicts.then(firstOf) : firstOf(verdicts)
}
