import { mac } from '#mac'
import { allMaybeAsync } from '../async/all-maybe-async.ts'
import { Refusal } from '../reject/refusal.ts'
import type { SecretKey } from './secret.ts'

/**
 * Finds the secret under which `<timestamp>.<body>` has the received signature (contract, section 5).
 *
 * The MAC is computed for every secret, also behind a match, so that the time taken does not tell
 * which one matched. It covers the timestamp as sent and the body as received, and nothing decoded.
 *
 * @throws Refusal `signature_mismatch` (401).
 */
export function matchSignature(
  keys: readonly SecretKey[],
  signature: string,
  prefix: string,
  rawBody: Uint8Array,
): SecretKey | Promise<SecretKey> {
  const verdictOf = ({ key }: SecretKey) => mac.verify(key, prefix, rawBody, signature)
  const matching = (match: SecretKey | undefined) => {
    if (match) return match
    throw new Refusal('signature_mismatch', { length: rawBody.length })
  }
  const [only, ...others] = keys
  if (only && others.length === 0) {
    const verdict = verdictOf(only)
    const matchFor = (matches: boolean) => matching(matches ? only : undefined)
    return verdict instanceof Promise ? verdict.then(matchFor) : matchFor(verdict)
  }
  const verdicts = allMaybeAsync(keys.map(verdictOf))
  const firstOf = (found: readonly boolean[]) => matching(keys[found.indexOf(true)])
  return verdicts instanceof Promise ? verdicts.then(firstOf) : firstOf(verdicts)
}
