import { allMaybeAsync, type MaybeAsync, thenMaybeAsync } from '../async/maybe-async.ts'
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
): MaybeAsync<SecretKey | undefined> {
  const [only] = keys
  if (only && keys.length === 1) {
    const verdict = scheme.verify(only.key, head, body)
    return verdict === true
      ? only
      : thenMaybeAsync(verdict, (found) => (found === true ? only : undefined))
  }
  const verdicts = allMaybeAsync(keys.map(({ key }) => scheme.verify(key, head, body)))
  return thenMaybeAsync(verdicts, (found) => keys[found.indexOf(true)])
}
